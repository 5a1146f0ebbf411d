import Foundation

/// Builds a feed of the pieces of an RSS, RDF or Atom document.
///
/// Each open element has a frame that gathers its own text, so that text never lands under another element's name, and
/// an entry is made when its element ends, whatever the order inside.
final class FeedBuilder: MarkupHandler {
    /// An open element.
    private struct Frame {
        var name: MarkupName
        var attributes: [MarkupAttribute]
        var text: [UInt8] = []
        var base: String?
        /// Whether markup inside is part of the text (Atom's type xhtml).
        var capturesMarkup = false
        /// Whether its text is its parent's: a div that only wraps escaped markup.
        var isTransparent = false

        /// The value of an attribute without prefix, or of the core vocabularies.
        func attribute(_ local: String) -> String? {
            attributes.first { $0.name.local == local && $0.name.vocabulary != .xml }?.value
        }
    }

    /// What the fields that come belong to.
    private enum Place: Equatable {
        case document, feed, entry, image, textInput, author, contributor, source
    }

    private var frames: [Frame] = []
    private var places: [(place: Place, depth: Int)] = []
    private var feed = ParsedFeed(format: .rss)
    private var isFeed = false
    private var draft = EntryDraft()
    private var author = ParsedAuthor()
    private var feedID: String?
    private var isCutOff = false
    private let documentBase: String?
    private(set) var sawHTML = false

    init(base: String?) { documentBase = base }

    /// The feed, when the document is one.
    func finish() -> ParsedFeed? {
        if feed.homePage == nil { feed.homePage = feedID }
        return isFeed ? feed : nil
    }

    private var place: Place { places.last?.place ?? .document }
    private var base: String? { frames.last?.base ?? documentBase }

    private func enter(_ place: Place) { places.append((place, frames.count)) }

    // MARK: Events

    func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        if wrapsEscapedMarkup(name) {
            var frame = Frame(name: name, attributes: [], base: base)
            frame.isTransparent = true
            frames.append(frame)
            return
        }
        takeNakedMarkup()
        if let capture = frames.lastIndex(where: \.capturesMarkup) {
            MarkupWriting.appendTag(name, attributes, to: &frames[capture].text)
            frames.append(Frame(name: name, attributes: [], base: base))
            return
        }
        var frame = Frame(name: name, attributes: attributes, base: base)
        if let own = attributes.first(where: { $0.name.vocabulary == .xml && $0.name.local == "base" })?.value {
            frame.base = LinkResolution.resolve(own, base: base)
        }
        let language = attributes.first { $0.name.vocabulary == .xml && $0.name.local == "lang" }?.value.nonEmpty
        frame.capturesMarkup = capturesMarkup(frame)
        frames.append(frame)
        open(name, frame)
        if let language {
            if place == .entry { draft.entry.language = draft.entry.language ?? language }
            if place == .feed, feed.language == nil { feed.language = language }
        }
    }

    func endElement(_ name: MarkupName) {
        guard let frame = frames.popLast() else { return }
        if frame.isTransparent, !frames.isEmpty {
            frames[frames.count - 1].text += frame.text
            return
        }
        if let capture = frames.lastIndex(where: \.capturesMarkup) {
            MarkupWriting.appendEndTag(name, to: &frames[capture].text)
            return
        }
        if let last = places.last, last.depth == frames.count + 1 {
            places.removeLast()
            close(last.place, frame)
        } else {
            // Its own frame is gone already; what lies between it and the entry is what counts.
            let between = frames[min(places.last?.depth ?? 0, frames.count)...]
            let isForeign =
                isCore(frame.name) && between.contains { FeedBuilder.foreignElements.contains($0.name.local) }
            if !isForeign { take(frame) }
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let capture = frames.lastIndex(where: \.capturesMarkup) {
            MarkupWriting.appendEscaped(bytes, to: &frames[capture].text)
        } else if !frames.isEmpty {
            frames[frames.count - 1].text.append(contentsOf: bytes)
        }
    }

    /// The elements whose content is text; markup that stands in one without being announced is part of it.
    private static let textConstructs: Set<String> = [
        "title", "description", "summary", "content", "subtitle", "tagline", "info", "rights", "copyright", "encoded",
        "abstract", "body", "fullitem",
    ]

    /// Typepad's way: `type="html"`, and a div around what is escaped all the same.
    private func wrapsEscapedMarkup(_ name: MarkupName) -> Bool {
        guard let last = frames.last, name.local == "div", last.attribute("type")?.lowercased() == "html" else {
            return false
        }
        return FeedBuilder.textConstructs.contains(last.name.local) && last.text.allSatisfy { FeedParser.isBlank($0) }
    }

    private func takeNakedMarkup() {
        guard let last = frames.last, !last.capturesMarkup, place == .feed || place == .entry,
            isCore(last.name) || last.name.vocabulary == .content || last.name.vocabulary == .dublinCore,
            FeedBuilder.textConstructs.contains(last.name.local)
        else { return }
        frames[frames.count - 1].capturesMarkup = true
        frames[frames.count - 1].text = Array(MarkupWriting.escaped(string(last)).utf8)
    }

    func documentIsCutOff() { isCutOff = true }

    // MARK: Structure

    private func isCore(_ name: MarkupName) -> Bool {
        switch name.vocabulary {
        case .none, .rss, .atom: true
        case .other: !name.written.contains(":")
        default: false
        }
    }

    private func capturesMarkup(_ frame: Frame) -> Bool {
        guard place != .document else { return false }
        if frame.name.vocabulary == .xhtml, frame.name.local == "body" || frame.name.local == "div" { return true }
        let type = frame.attribute("type")?.lowercased()
        switch frame.name.local {
        case "content", "summary", "title", "tagline", "subtitle", "info", "rights", "copyright":
            return isCore(frame.name)
                && (type == "xhtml" || type == "application/xhtml+xml"
                    || frame.attribute("mode") == "xml" && type != "text/plain")
        default:
            return false
        }
    }

    private func open(_ name: MarkupName, _ frame: Frame) {
        guard isCore(name) || name.vocabulary == .rdf else { return openExtension(name, frame) }
        if isInsideForeignElement { return }
        switch (name.local, place) {
        case ("rss", .document): begin(.rss)
        case ("rdf", .document): begin(.rdf)
        case ("channel", .document):
            if !isFeed { begin(.rss) }
            enter(.feed)
            openChannelDefinition(frame)
        case ("feed", .document):
            begin(.atom)
            enter(.feed)
        case ("html", .document): sawHTML = true
        case ("item", .document), ("item", .feed), ("entry", .feed), ("entry", .document):
            if !isFeed { begin(name.local == "entry" ? .atom : .rss) }
            draft = EntryDraft()
            if let about = frame.attributes.first(where: { $0.name.vocabulary == .rdf && $0.name.local == "about" }) {
                draft.entry.id = about.value.trimmingBlanks.nonEmpty
            }
            enter(.entry)
            // The Channel Definition Format has an item's address in an attribute.
            if let address = frame.attribute("href") {
                draft.entry.link = LinkResolution.resolve(address, base: frame.base)
            }
        case ("image", .feed), ("image", .document), ("image", .entry): enter(.image)
        case ("textinput", _), ("textInput", _): enter(.textInput)
        case ("author", .feed), ("author", .entry), ("managingeditor", .feed):
            author = ParsedAuthor()
            enter(.author)
        case ("contributor", .feed), ("contributor", .entry):
            author = ParsedAuthor()
            enter(.contributor)
        case ("source", .entry): enter(.source)
        case ("link", .entry), ("link", .feed): takeLink(frame)
        case ("category", .entry):
            if let term = frame.attribute("term") { takeTag(frame.attribute("label") ?? term) }
        case ("enclosure", .entry):
            takeEnclosure(frame, url: "url", type: "type", size: "length")
        case ("content", .entry):
            if let source = frame.attribute("src").flatMap({ LinkResolution.resolve($0, base: frame.base) }) {
                draft.entry.externalLink = draft.entry.externalLink ?? source
            }
        default: break
        }
    }

    /// The Channel Definition Format (CDF) has the home page and the base of all links in attributes.
    private func openChannelDefinition(_ frame: Frame) {
        if let own = frame.attribute("base") { frames[frames.count - 1].base = LinkResolution.resolve(own, base: base) }
        if let address = frame.attribute("href") { feed.homePage = LinkResolution.resolve(address, base: base) }
        if let changed = frame.attribute("lastmod") { feed.updated = date(changed) }
    }

    /// Elements whose children say nothing about the entry or feed around them.
    private static let foreignElements: Set<String> = ["category", "image", "cloud", "enclosure", "guid", "id"]

    /// Whether an element that is open between the entry, or feed, and this one has its own titles and links.
    private var isInsideForeignElement: Bool {
        guard let last = places.last, frames.count > last.depth + 1 else { return false }
        return frames[last.depth..<frames.count - 1].contains { FeedBuilder.foreignElements.contains($0.name.local) }
    }

    private func openExtension(_ name: MarkupName, _ frame: Frame) {
        guard place == .entry || place == .feed else { return }
        switch (name.vocabulary, name.local) {
        case (.media, "content"):
            let medium = frame.attribute("medium") ?? frame.attribute("type") ?? ""
            if medium.hasPrefix("image") {
                takeImage(frame.attribute("url"), frame.base)
            } else {
                takeEnclosure(frame, url: "url", type: "type", size: "filesize")
            }
        case (.media, "thumbnail"): takeImage(frame.attribute("url"), frame.base)
        case (.itunes, "image"): takeImage(frame.attribute("href") ?? frame.attribute("url"), frame.base)
        case (.itunes, "category") where place == .entry:
            if let text = frame.attribute("text") { takeTag(text) }
        default: break
        }
    }

    private func begin(_ format: ParsedFeed.Format) {
        if isFeed { return }
        isFeed = true
        feed.format = format
    }

    private func close(_ place: Place, _ frame: Frame) {
        switch place {
        case .entry: finishEntry()
        case .author, .contributor:
            // RSS has the author as text, Atom as elements.
            if author.isEmpty { author = FeedBuilder.author(Markup.plainText(string(frame))) }
            guard !author.isEmpty, place == .author else { return }
            if self.place == .entry {
                draft.entry.authors.append(author)
            } else if self.place == .feed {
                feed.authors.append(author)
            }
        default: break
        }
    }

    private func finishEntry() {
        var entry = draft.finished()
        // The stump at the end of a document that is cut off: without an identity it would stay for ever, beside the whole
        // entry that comes later.
        entry.isStump = isCutOff && entry.id == nil && entry.link == nil
        // Entries without title, link or date are kept (row FEE-02).
        feed.entries.append(entry)
    }

    // MARK: Fields

    private func string(_ frame: Frame) -> String {
        let text = String(decoding: frame.text, as: UTF8.self)
        guard FeedBuilder.isBase64(frame), let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        else { return text }
        return String(decoding: data, as: UTF8.self)
    }

    private func take(_ frame: Frame) {
        switch place {
        case .feed: takeFeedField(frame)
        case .entry: takeEntryField(frame)
        case .author, .contributor: takeAuthorField(frame)
        case .image:
            guard isCore(frame.name), frame.name.local == "url" else { return }
            takeImage(string(frame), frame.base, isOfEntry: places.dropLast().last?.place == .entry)
        case .document, .textInput, .source: break
        }
    }

    /// Atom 0.3 says base64 by a mode; in Atom 1.0 every type that is neither text nor XML is base64 (RFC 4287, 4.1.3.3).
    private static func isBase64(_ frame: Frame) -> Bool {
        if let mode = frame.attribute("mode")?.lowercased() { return mode == "base64" }
        guard textConstructs.contains(frame.name.local), let type = frame.attribute("type")?.lowercased() else {
            return false
        }
        if ["text", "html", "xhtml", "", "plain"].contains(type) || type.hasPrefix("text/") { return false }
        return type == "base64" || type.contains("/") && !type.hasSuffix("/xml") && !type.hasSuffix("+xml")
    }

    private func takeFeedField(_ frame: Frame) {
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
        case (.itunes, "author"):
            if feed.authors.isEmpty, let name = Markup.plainText(text).nonEmpty {
                feed.authors = [ParsedAuthor(name: name)]
            }
        case _ where isCore(frame.name): takeCoreFeedField(frame, text)
        default: break
        }
    }

    private func takeCoreFeedField(_ frame: Frame, _ text: String) {
        switch frame.name.local {
        case "title": feed.title = feed.title ?? title(frame)
        case "link":
            if feed.homePage == nil, frame.attribute("href") == nil {
                feed.homePage = LinkResolution.resolve(text, base: frame.base)
            }
        case "description", "abstract", "subtitle", "tagline":
            feed.description = feed.description ?? Markup.plainText(text).nonEmpty
        case "language": feed.language = text.trimmingBlanks.nonEmpty ?? feed.language
        case "icon", "logo": feed.icon = feed.icon ?? LinkResolution.resolve(text, base: frame.base)
        case "lastbuilddate", "updated", "modified", "pubdate": feed.updated = feed.updated ?? date(text)
        case "id", "guid":
            let id = text.trimmingBlanks
            if ["http://", "https://", "/"].contains(where: { id.lowercased().hasPrefix($0) }) {
                feedID = LinkResolution.resolve(id, base: frame.base)
            }
        case "ttl": feed.timeToLive = Int(text.trimmingBlanks)
        case "webmaster": break
        default: break
        }
    }

    private func takeEntryField(_ frame: Frame) {
        let text = string(frame)
        switch (frame.name.vocabulary, frame.name.local) {
        case (.dublinCore, "title"): draft.entry.title = draft.entry.title ?? title(frame)
        case (.dublinCore, "creator"), (.dublinCore, "author"):
            let author = FeedBuilder.author(Markup.plainText(text))
            if !author.isEmpty { draft.entry.authors.append(author) }
        case (.dublinCore, "subject"): takeTag(text)
        case (.dublinCore, "date"): draft.dublinCoreDate = draft.dublinCoreDate ?? date(text)
        case (.dublinCore, "description"), (.dublinCoreTerms, "abstract"):
            draft.description = draft.description ?? text.trimmingBlanks.nonEmpty
        case (.dublinCoreTerms, "created"): draft.created = draft.created ?? date(text)
        case (.dublinCoreTerms, "issued"): draft.entry.published = draft.entry.published ?? date(text)
        case (.dublinCoreTerms, "modified"): draft.entry.updated = draft.entry.updated ?? date(text)
        case (.content, "encoded"): draft.entry.contentHTML = text.trimmingBlanks.nonEmpty ?? draft.entry.contentHTML
        case (.xhtml, "body"), (.xhtml, "div"): draft.entry.contentHTML = text.trimmingBlanks.nonEmpty ?? draft.entry.contentHTML
        case (.feedburner, "origlink"): draft.entry.externalLink = LinkResolution.resolve(text, base: frame.base)
        case (.media, "title"): draft.mediaTitle = draft.mediaTitle ?? Markup.plainText(text).nonEmpty
        case (.media, "description"): draft.mediaDescription = draft.mediaDescription ?? text.trimmingBlanks.nonEmpty
        case (.itunes, "summary"): draft.itunesSummary = draft.itunesSummary ?? text.trimmingBlanks.nonEmpty
        case (.itunes, "author"): draft.itunesAuthor = Markup.plainText(text).nonEmpty
        case (.itunes, "duration"): draft.itunesDuration = FeedBuilder.duration(text)
        case _ where isCore(frame.name): takeCoreEntryField(frame, text)
        default: break
        }
    }

    private func takeCoreEntryField(_ frame: Frame, _ text: String) {
        switch frame.name.local {
        case "title": draft.entry.title = draft.entry.title ?? title(frame)
        case "link":
            if frame.attribute("href") == nil, draft.entry.link == nil {
                draft.entry.link = LinkResolution.resolve(text, base: frame.base)
            }
        case "guid", "id":
            guard let id = text.trimmingBlanks.nonEmpty else { return }
            draft.entry.id = id
            let isPermanent = frame.attribute("ispermalink")?.lowercased() != "false"
            // An identifier that is an address stands for a missing link.
            if isPermanent, ["http://", "https://", "/"].contains(where: { id.lowercased().hasPrefix($0) }) {
                draft.permanentID = LinkResolution.resolve(id, base: frame.base)
            }
        case "description", "abstract": takeDescription(text)
        case "summary": takeSummary(frame, text)
        case "content": takeContent(frame, text)
        case "body", "fullitem": draft.entry.contentHTML = draft.entry.contentHTML ?? text.trimmingBlanks.nonEmpty
        case "pubdate", "published", "issued", "date", "pubDate":
            draft.entry.published = draft.entry.published ?? date(text)
        case "updated", "modified", "lastbuilddate": draft.entry.updated = draft.entry.updated ?? date(text)
        case "created": draft.created = draft.created ?? date(text)
        case "category", "keywords": takeTag(text)
        case "comments": draft.entry.commentsLink = LinkResolution.resolve(text, base: frame.base)
        default: break
        }
    }

    private func takeAuthorField(_ frame: Frame) {
        let text = Markup.plainText(string(frame)).nonEmpty
        switch frame.name.local {
        case "name": author.name = text ?? author.name
        case "email": author.email = text ?? author.email
        case "uri", "url", "homepage": author.url = text.flatMap { LinkResolution.resolve($0, base: frame.base) }
        default: break
        }
    }

    /// Where an item has both a description and a summary, the one that comes later is the content.
    private func takeDescription(_ text: String) {
        guard let text = text.trimmingBlanks.nonEmpty else { return }
        if draft.sawSummary, draft.entry.contentHTML == nil, draft.description != nil {
            draft.entry.summary = draft.entry.summary ?? draft.description
            draft.description = text
        } else {
            draft.description = draft.description ?? text
        }
    }

    private func takeSummary(_ frame: Frame, _ text: String) {
        guard let text = text.trimmingBlanks.nonEmpty else { return }
        let isPlain = frame.attribute("type") == "text" || frame.attribute("type") == nil
        defer { draft.sawSummary = true }
        if isPlain, frame.name.vocabulary == .atom, !isMarkup(frame, text) {
            draft.entry.summary = text
        } else if frame.name.vocabulary != .atom, let description = draft.description, draft.entry.contentHTML == nil {
            draft.entry.summary = draft.entry.summary ?? description
            draft.entry.contentHTML = text
        } else {
            draft.description = draft.description ?? text
        }
        if draft.entry.contentHTML == nil, draft.description == nil { draft.description = MarkupWriting.escaped(text) }
    }

    /// Atom 0.3's texts without a type, or in base64, are often markup; what stands there as elements is.
    private func isMarkup(_ frame: Frame, _ text: String) -> Bool {
        if frame.capturesMarkup { return true }
        return frame.attribute("mode") != nil && frame.attribute("type") == nil && text.contains("</")
    }

    private func takeContent(_ frame: Frame, _ text: String) {
        guard let text = text.trimmingBlanks.nonEmpty else { return }
        switch frame.attribute("type")?.lowercased() {
        case "text", "text/plain":
            draft.entry.contentText = text
        case nil where frame.name.vocabulary == .atom && !isMarkup(frame, text):
            draft.entry.contentText = text
        default:
            draft.entry.contentHTML = text
        }
    }

    private func title(_ frame: Frame) -> String? {
        let text = string(frame)
        let isPlain =
            frame.name.vocabulary == .atom && !frame.capturesMarkup && frame.attribute("mode") == nil
            && ["text", "text/plain", nil].contains(frame.attribute("type"))
        return (isPlain ? Markup.foldBlanks(text) : Markup.plainText(text)).nonEmpty
    }

    private func takeTag(_ text: String) {
        guard let tag = Markup.plainText(text).nonEmpty, !draft.entry.tags.contains(tag), draft.entry.tags.count < 100 else {
            return
        }
        draft.entry.tags.append(tag)
    }

    private func takeImage(_ url: String?, _ base: String?, isOfEntry: Bool? = nil) {
        guard let url = url.flatMap({ LinkResolution.resolve($0, base: base) }) else { return }
        if isOfEntry ?? (place == .entry) { draft.entry.image = draft.entry.image ?? url } else if feed.icon == nil { feed.icon = url }
    }

    private func takeEnclosure(_ frame: Frame, url: String, type: String, size: String) {
        guard let address = frame.attribute(url).flatMap({ LinkResolution.resolve($0, base: frame.base) }) else {
            return
        }
        guard !draft.entry.enclosures.contains(where: { $0.url == address }), draft.entry.enclosures.count < 100 else { return }
        draft.entry.enclosures.append(
            ParsedEnclosure(
                url: address, mediaType: frame.attribute(type)?.trimmingBlanks.nonEmpty,
                size: frame.attribute(size).flatMap { Int64($0.trimmingBlanks) },
                duration: frame.attribute("duration").flatMap(FeedBuilder.duration)))
    }

    /// Atom's link element, also inside RSS; RSS's own has no `href`.
    private func takeLink(_ frame: Frame) {
        guard let address = frame.attribute("href").flatMap({ LinkResolution.resolve($0, base: frame.base) }) else {
            return
        }
        let relation = frame.attribute("rel")?.lowercased() ?? "alternate"
        let type = frame.attribute("type")?.lowercased() ?? ""
        switch (relation, place) {
        case ("alternate", .entry):
            if draft.entry.link == nil || (type.isEmpty || type.contains("html")) && draft.entry.link == draft.entry.id {
                draft.entry.link = address
            }
        case ("alternate", .feed): feed.homePage = feed.homePage ?? address
        case ("self", .feed): feed.feedURL = feed.feedURL ?? address
        case ("enclosure", .entry): takeEnclosure(frame, url: "href", type: "type", size: "length")
        case ("related", .entry), ("via", .entry): draft.entry.externalLink = draft.entry.externalLink ?? address
        case ("replies", .entry): draft.entry.commentsLink = draft.entry.commentsLink ?? address
        default: break
        }
    }

    private func date(_ text: String) -> ParsedDate? {
        guard let text = Markup.foldBlanks(text).nonEmpty else { return nil }
        return ParsedDate(instant: DateParser.parse(text), text: text)
    }

    /// `address (name)`, `name <address>`, an address or a name.
    static func author(_ text: String) -> ParsedAuthor {
        guard let text = text.nonEmpty else { return ParsedAuthor() }
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

    /// Seconds of `1:02:03`, `62:03` or `3723`.
    static func duration(_ text: String) -> Double? {
        var seconds = 0.0
        for part in text.trimmingBlanks.split(separator: ":") {
            guard let value = Double(part), value >= 0, value < 1e7 else { return nil }
            seconds = seconds * 60 + value
        }
        return seconds > 0 ? seconds : nil
    }
}
