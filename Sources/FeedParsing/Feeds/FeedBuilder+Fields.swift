import WebAddresses

/// The meaning of each element for the feed, entry or author that contains it.
extension FeedBuilder {
    func take(_ frame: FeedElement) {
        switch place {
        case .feed: takeFeedField(frame)
        case .entry: takeEntryField(frame)
        case .author, .contributor: takeAuthorField(frame)
        case .image:
            guard isCore(frame.name), frame.name.local == "url" else { return }
            takeImage(frame.resolved(string(frame)), isOfEntry: places.dropLast().last?.place == .entry)
        case .document, .textInput, .source: break
        }
    }

    private func takeFeedField(_ frame: FeedElement) {
        let text = string(frame)
        switch (frame.name.vocabulary, frame.name.local) {
        case (.dublinCore, "title") where feed.title == nil: feed.title = title(frame)
        case (.dublinCore, "creator"), (.dublinCore, "author"), (.dublinCore, "publisher"):
            let author = FeedBuilder.author(Markup.plainText(text))
            if !author.isEmpty { feed.authors.append(author) }
        case (.dublinCore, "language"): feed.language = feed.language ?? text.trimmingBlanks.nonEmpty
        case (.dublinCore, "date"): feed.updated = feed.updated ?? date(text)
        case (.dublinCore, "description"), (.itunes, "summary"), (.itunes, "subtitle"):
            feed.description = feed.description ?? Markup.plainText(text).nonEmpty
        case (.syndication, "updateperiod"): updatePeriod.name = text.trimmingBlanks
        case (.syndication, "updatefrequency"): updatePeriod.frequency = Int(text.trimmingBlanks)
        case (.itunes, "new-feed-url"):
            feed.newAddress = frame.resolved(text).flatMap { WebAddress.isWeb($0) ? $0 : nil }
        case (.itunes, "author"):
            if feed.authors.isEmpty, let name = Markup.plainText(text).nonEmpty {
                feed.authors = [ParsedAuthor(name: name)]
            }
        case _ where isCore(frame.name): takeCoreFeedField(frame, text)
        default: break
        }
    }

    private func takeCoreFeedField(_ frame: FeedElement, _ text: String) {
        switch frame.name.local {
        case "title": feed.title = feed.title ?? title(frame)
        case "link":
            if feed.homePage == nil, frame.attribute("href") == nil {
                feed.homePage = frame.resolved(text)
            }
        case "description", "abstract", "subtitle", "tagline":
            feed.description = feed.description ?? Markup.plainText(text).nonEmpty
        case "language": feed.language = text.trimmingBlanks.nonEmpty ?? feed.language
        case "icon", "logo": feed.icon = feed.icon ?? frame.resolved(text)
        case "lastbuilddate", "updated", "modified", "pubdate": feed.updated = feed.updated ?? date(text)
        case "id", "guid":
            let id = text.trimmingBlanks
            if id.hasPrefix("/") || WebAddress.isWeb(id) { feedID = frame.resolved(id) }
        case "ttl": feed.timeToLive = Double(text.trimmingBlanks).map { Int(clamping: $0) }
        case "hour" where frames.last?.name.local == "skiphours": feed.skippedTimes.addHour(text.trimmingBlanks)
        case "day" where frames.last?.name.local == "skipdays": feed.skippedTimes.addDay(text.trimmingBlanks)
        case "webmaster": webMaster = FeedBuilder.author(Markup.plainText(text))
        default: break
        }
    }

    private func takeEntryField(_ frame: FeedElement) {
        let text = string(frame)
        switch (frame.name.vocabulary, frame.name.local) {
        case (.dublinCore, "title"): draft.entry.title = draft.entry.title ?? title(frame)
        case (.dublinCore, "creator"), (.dublinCore, "author"):
            takeAuthor(FeedBuilder.author(Markup.plainText(text)))
        case (.dublinCore, "subject"): takeTag(text)
        case (.dublinCore, "date"): draft.dublinCoreDate = draft.dublinCoreDate ?? date(text)
        case (.dublinCore, "description"), (.dublinCoreTerms, "abstract"):
            draft.description = draft.description ?? text.trimmingBlanks.nonEmpty
        case (.dublinCoreTerms, "created"): draft.created = draft.created ?? date(text)
        case (.dublinCoreTerms, "issued"): draft.entry.published = draft.entry.published ?? date(text)
        case (.dublinCoreTerms, "modified"): draft.entry.updated = draft.entry.updated ?? date(text)
        case (.content, "encoded"), (.xhtml, "body"), (.xhtml, "div"):
            draft.entry.contentHTML = frame.html(text).trimmingBlanks.nonEmpty ?? draft.entry.contentHTML
        case (.feedburner, "origlink"):
            draft.entry.externalLink = frame.resolved(text)
            draft.entry.isExternalLinkOwn = draft.entry.externalLink != nil
        case (.media, "title"):
            draft.mediaTitle = draft.mediaTitle ?? Markup.plainText(text, isTitle: true).nonEmpty
        case (.media, "description") where draft.isInPicture(frames):
            draft.describePicture(Markup.plainText(text))
        case (.media, "description"):
            // Media RSS 1.5: plain text unless the type says otherwise.
            let isHTML = frame.attribute("type")?.lowercased().contains("html") == true
            draft.mediaDescription = draft.mediaDescription ?? description(text, isHTML: isHTML)
        case (.itunes, "summary"):
            draft.itunesSummary = draft.itunesSummary ?? description(text, isHTML: Markup.hasElements(text))
        case (.prism, "publicationdate"), (.prism, "coverdate"): draft.created = draft.created ?? date(text)
        case (.itunes, "author"): draft.itunesAuthor = Markup.plainText(text).nonEmpty
        case (.wellFormedWeb, "commentrss"): draft.entry.commentsFeed = frame.resolved(text)
        case (.slash, "comments"): draft.entry.commentCount = Int(text.trimmingBlanks)
        case (.itunes, "keywords"), (.media, "keywords"): text.split(separator: ",").forEach { takeTag(String($0)) }
        case (.media, "category"): takeTag(frame.attribute("label")?.nonEmpty ?? text)
        case (.itunes, "duration"): draft.itunesDuration = FeedBuilder.duration(text)
        case _ where isCore(frame.name): takeCoreEntryField(frame, text)
        default: break
        }
    }

    private func takeCoreEntryField(_ frame: FeedElement, _ text: String) {
        switch frame.name.local {
        case "title": draft.entry.title = draft.entry.title ?? title(frame)
        case "link":
            if frame.attribute("rel")?.lowercased() == "enclosure", frame.attribute("href") == nil {
                takeEnclosure(frame.resolved(text), frame)
            } else if frame.attribute("href") == nil, draft.entry.link == nil {
                draft.entry.link = frame.resolved(text)
            }
        case "enclosure" where (frame.attribute("url") ?? "").isEmpty:
            let address = frame.attribute("href") ?? text
            guard WebAddress.isWeb(address.trimmingBlanks) else { return }
            takeEnclosure(frame.resolved(address), frame)
        case "guid", "id":
            // The first identifier counts, but an element replaces RDF's attribute.
            guard let id = text.trimmingBlanks.nonEmpty, !draft.hasID else { return }
            draft.entry.id = id
            draft.hasID = true
            let isPermanent = frame.attribute("ispermalink")?.lowercased() != "false"
            // An identifier that is an address replaces a missing link.
            if isPermanent, id.hasPrefix("/") || WebAddress.isWeb(id) {
                draft.permanentID = frame.resolved(id)
            }
        case "description", "abstract": takeDescription(frame.html(text))
        case "summary": takeSummary(frame, text)
        case "content": takeContent(frame, text)
        case "body", "fullitem":
            draft.entry.contentHTML = draft.entry.contentHTML ?? frame.html(text).trimmingBlanks.nonEmpty
        case "pubdate", "published", "issued", "date":
            draft.entry.published = draft.entry.published ?? date(text)
        // The last one is from the Channel Definition Format.
        case "updated", "lastbuilddate", "lastmod": draft.entry.updated = draft.entry.updated ?? date(text)
        case "modified":
            let modified = date(text)
            draft.entry.updated = draft.entry.updated ?? modified
            draft.modified = draft.modified ?? modified
        case "created": draft.created = draft.created ?? date(text)
        case "category", "keywords": takeTag(text)
        case "comments": draft.entry.commentsLink = frame.resolved(text)
        default: break
        }
    }

    private func takeAuthorField(_ frame: FeedElement) {
        let text = Markup.plainText(string(frame)).nonEmpty
        switch frame.name.local {
        case "name": author.name = text ?? author.name
        case "email": author.email = text.flatMap { FeedBuilder.author($0).email ?? $0 } ?? author.email
        case "uri", "url", "homepage": author.url = text.flatMap(frame.resolved)
        default: break
        }
    }

    /// Uses the later of description and summary as the content, if an item has both.
    private func takeDescription(_ text: String) {
        guard let text = text.trimmingBlanks.nonEmpty else { return }
        if draft.sawSummary, draft.entry.contentHTML == nil, draft.description != nil {
            draft.entry.summary = draft.entry.summary ?? draft.description
            draft.description = text
        } else {
            draft.description = draft.description ?? text
        }
    }

    private func takeSummary(_ frame: FeedElement, _ text: String) {
        guard let text = text.trimmingBlanks.nonEmpty else { return }
        let isPlain = frame.attribute("type") == "text" || frame.attribute("type") == nil
        defer { draft.sawSummary = true }
        if isPlain, frame.name.vocabulary == .atom, !frame.isMarkup(text) {
            draft.entry.summary = text
        } else if frame.name.vocabulary != .atom, let description = draft.description, draft.entry.contentHTML == nil {
            draft.entry.summary = draft.entry.summary ?? description
            draft.entry.contentHTML = frame.html(text)
        } else {
            draft.description = draft.description ?? frame.html(text)
        }
        if draft.entry.contentHTML == nil, draft.description == nil { draft.description = MarkupWriting.escaped(text) }
    }

    private func takeContent(_ frame: FeedElement, _ text: String) {
        guard let text = text.trimmingBlanks.nonEmpty else { return }
        switch frame.attribute("type")?.lowercased() {
        case "text", "text/plain":
            draft.entry.contentText = text
        case nil where frame.name.vocabulary == .atom && !frame.isMarkup(text):
            draft.entry.contentText = text
        default:
            draft.entry.contentHTML = frame.html(text)
        }
    }

    func string(_ frame: FeedElement, limit: Int = .max) -> String {
        frame.string(isValid: hasValidText, limit: limit)
    }

    /// Adds an author without duplicates.
    func takeAuthor(_ author: ParsedAuthor) {
        guard !author.isEmpty, !draft.entry.authors.contains(author), draft.entry.authors.count < 100 else { return }
        draft.entry.authors.append(author)
    }

    private func title(_ frame: FeedElement) -> String? {
        // The rest of a long title would be dropped anyway.
        let text = string(frame, limit: longestTitle)
        let isPlain =
            frame.name.vocabulary == .atom && !frame.capturesMarkup && frame.attribute("mode") == nil
            && ["text", "text/plain", nil].contains(frame.attribute("type"))
        return (isPlain ? Markup.collapseSpaces(text) : Markup.plainText(text, isTitle: true)).nonEmpty
    }

    private func description(_ text: String, isHTML: Bool) -> EntryDraft.Description? {
        text.trimmingBlanks.nonEmpty.map { isHTML ? .html($0) : .plain($0) }
    }

    func takeTag(_ text: String) {
        guard let tag = Markup.plainText(text).nonEmpty, !draft.entry.tags.contains(tag), draft.entry.tags.count < 100
        else { return }
        draft.entry.tags.append(tag)
    }

    func takeImage(_ url: String?, isOfEntry: Bool? = nil) {
        guard let url else { return }
        if isOfEntry ?? (place == .entry) {
            draft.entry.image = draft.entry.image ?? url
        } else if feed.icon == nil {
            feed.icon = url
        }
    }

    /// Records a picture of a post with several, for the text.
    func takePicture(_ frame: FeedElement) {
        guard place == .entry, draft.pictures.count < 50, let url = frame.link("url"),
            !draft.pictures.contains(where: { $0.url == url })
        else { return }
        draft.pictures.append((url, nil))
    }

    /// Adds an enclosure, whose media type and size in bytes are in two attributes, without duplicates.
    func takeEnclosure(_ address: String?, _ frame: FeedElement, type: String = "type", size: String = "length") {
        guard let address, draft.entry.enclosures.count < 100,
            !draft.entry.enclosures.contains(where: { $0.url == address })
        else { return }
        draft.entry.enclosures.append(
            ParsedEnclosure(
                url: address, mediaType: frame.attribute(type)?.trimmingBlanks.nonEmpty,
                size: frame.attribute(size).flatMap { Int64($0.trimmingBlanks) },
                duration: frame.attribute("duration").flatMap(FeedBuilder.duration)))
    }

    /// Handles Atom's link element, also inside RSS. RSS's own link has no `href`.
    func takeLink(_ frame: FeedElement) {
        guard let address = frame.link("href") else { return }
        // A relation may be written as its address in the registry (RFC 4287, section 4.2.7.2).
        var relation = frame.attribute("rel")?.lowercased() ?? "alternate"
        let registry = "http://www.iana.org/assignments/relation/"
        if relation.hasPrefix(registry) { relation = String(relation.dropFirst(registry.count)) }
        let type = frame.attribute("type")?.lowercased() ?? ""
        switch (relation, place) {
        case ("alternate", .entry):
            let rank = FeedBuilder.rank(ofAlternate: address, type: type)
            if draft.entry.link == nil || draft.entry.link == draft.entry.id || rank > draft.linkRank {
                draft.entry.link = address
                draft.linkRank = rank
            }
        case ("alternate", .feed): feed.homePage = feed.homePage ?? address
        case ("self", .feed): feed.feedURL = feed.feedURL ?? address
        case ("enclosure", .entry): takeEnclosure(address, frame)
        case ("related", .entry), ("via", .entry): draft.entry.externalLink = draft.entry.externalLink ?? address
        case ("replies", .entry):
            // The page for people, and not its feed (RFC 4685, section 4).
            let isFeed = type.contains("xml") && !type.contains("html") || type.contains("json")
            if draft.entry.commentsLink == nil || draft.commentsAreFeed, !isFeed || draft.entry.commentsLink == nil {
                draft.entry.commentsLink = address
                draft.commentsAreFeed = isFeed
            }
        default: break
        }
    }

    func date(_ text: String) -> ParsedDate? {
        guard let text = Markup.collapseSpaces(text).nonEmpty else { return nil }
        return ParsedDate(instant: DateParser.parse(text), text: text)
    }

    /// Returns the rank of an alternate: web pages first, then other web addresses, then other schemes.
    private static func rank(ofAlternate address: String, type: String) -> Int {
        (WebAddress.isWeb(address) ? 3 : 0) + (type.contains("html") ? 2 : type.isEmpty ? 1 : 0)
    }

    /// Parses `address (name)`, `name <address>`, an address or a name.
    static func author(_ text: String) -> ParsedAuthor {
        var rest = text.utf8[...]
        while rest.prefix(7).elementsEqual("mailto:".utf8, by: { $0 | 0x20 == $1 | 0x20 }) {
            rest = rest.dropFirst(7).drop { $0.isBlank }
        }
        guard let text = (rest.count < text.utf8.count ? String(Substring(rest)).trimmingBlanks : text).nonEmpty else {
            return ParsedAuthor()
        }
        guard text.has(UInt8(ascii: "@")) else { return ParsedAuthor(name: text) }
        for (open, close) in [("(", ")"), ("<", ">")] {
            guard let start = text.firstIndex(of: Character(open)), text.hasSuffix(close) else { continue }
            let outer = String(text[..<start]).trimmingBlanks
            let inner = String(text[text.index(after: start)...].dropLast()).trimmingBlanks
            if outer.contains("@"), !outer.contains(" ") { return ParsedAuthor(name: inner.nonEmpty, email: outer) }
            if inner.contains("@"), !inner.contains(" ") { return ParsedAuthor(name: outer.nonEmpty, email: inner) }
        }
        if text.contains("@"), !text.contains(" ") { return ParsedAuthor(email: text) }
        return ParsedAuthor(name: text)
    }

    /// Returns the seconds of `1:02:03`, `62:03` or `3723`.
    static func duration(_ text: String) -> Double? {
        var seconds = 0.0
        for part in text.trimmingBlanks.split(separator: ":") {
            guard let value = Double(part), value >= 0, value < 1e7 else { return nil }
            seconds = seconds * 60 + value
        }
        return seconds > 0 && ParsedEnclosure.isDuration(seconds) ? seconds : nil
    }
}

/// The maximum length of a title to examine in bytes.
let longestTitle = 32 << 10
