import WebAddresses

/// Builds a feed from the parts of an RSS, RDF or Atom document.
///
/// Each open element collects its own text in a frame, so text is never assigned to another element. An entry is
/// created when its element ends, whatever the order inside.
final class FeedBuilder: MarkupHandler {
    /// What the current fields belong to.
    enum Place: Equatable {
        case document, feed, entry, image, textInput, author, contributor, source
    }

    var frames: [FeedElement] = []
    /// The frame that captures markup, of which there is at most one.
    private var capture: Int?
    private(set) var places: [(place: Place, depth: Int)] = []
    var feed = ParsedFeed(format: .rss)
    private var isFeed = false
    var draft = EntryDraft()
    var author = ParsedAuthor()
    var feedID: String?
    /// The person responsible for technical matters, who stands in for a missing author.
    var webMaster = ParsedAuthor()
    var updatePeriod = UpdatePeriod()
    private(set) var isCutOff = false
    private var rootPrefix: String?
    private let documentBase: String?
    /// Whether all text is known to be valid UTF-8.
    let hasValidText: Bool
    private(set) var sawHTML = false

    init(base: String?, hasValidText: Bool = false) {
        documentBase = base
        self.hasValidText = hasValidText
    }

    /// Returns the feed if the document is one.
    func finish() -> ParsedFeed? {
        if feed.homePage == nil { feed.homePage = feedID }
        if feed.authors.isEmpty, !webMaster.isEmpty { feed.authors = [webMaster] }
        feed.timeToLive = [feed.timeToLive, updatePeriod.pause].compactMap { $0 }.max()
        return isFeed ? feed : nil
    }

    var place: Place { places.last?.place ?? .document }
    /// The base of links: what the document states, then its address, then the address that it gives itself.
    private var base: String? { frames.last?.base ?? documentBase ?? feed.feedURL ?? feed.homePage }

    private func enter(_ place: Place) { places.append((place, frames.count)) }

    // MARK: Events

    func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        if wrapsEscapedMarkup(name) {
            var frame = FeedElement(name: name, attributes: [], base: base)
            frame.isTransparent = true
            frames.append(frame)
            return
        }
        readUnannouncedMarkup()
        if let capture {
            MarkupWriting.appendTag(name, attributes, to: &frames[capture].text)
            frames.append(FeedElement(name: name, attributes: [], base: base))
            return
        }
        var frame = FeedElement(name: name, attributes: attributes, base: base)
        frame.hasOwnBase = frames.last?.hasOwnBase ?? false || documentBase == nil && frame.base != nil
        if let own = attributes.first(where: { $0.name.vocabulary == .xml && $0.name.local == "base" })?.value {
            frame.base = WebAddress.resolve(own, base: base)
            frame.hasOwnBase = true
        }
        noteRootPrefix(name)
        let language = attributes.first { $0.name.vocabulary == .xml && $0.name.local == "lang" }?.value.nonEmpty
        frame.capturesMarkup = capturesMarkup(frame)
        if frame.capturesMarkup { capture = frames.count }
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
        if capture == frames.count { capture = nil }
        if let capture {
            MarkupWriting.appendEndTag(name, to: &frames[capture].text)
            return
        }
        if let last = places.last, last.depth == frames.count + 1 {
            places.removeLast()
            close(last.place, frame)
        } else {
            // Its own frame was removed; what matters is what is between it and the entry.
            let between = frames[min(places.last?.depth ?? 0, frames.count)...]
            let isForeign = isCore(frame.name) && between.contains { $0.name.isForeign }
            if !isForeign, !between.contains(where: isUnknown) { take(frame) }
        }
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let capture {
            MarkupWriting.appendEscaped(bytes, to: &frames[capture].text)
        } else if !frames.isEmpty {
            frames[frames.count - 1].text.append(contentsOf: bytes)
        }
    }

    /// Whether an element has Typepad's form: `type="html"` with a div around escaped markup.
    private func wrapsEscapedMarkup(_ name: MarkupName) -> Bool {
        guard name.local == "div", let last = frames.last, last.attribute("type")?.lowercased() == "html" else {
            return false
        }
        return last.name.isTextConstruct && frames[frames.count - 1].isBlank()
    }

    private func readUnannouncedMarkup() {
        guard let last = frames.last?.name, last.isTextConstruct, capture == nil, place == .feed || place == .entry,
            isCore(last) || last.vocabulary == .content || last.vocabulary == .dublinCore
        else { return }
        frames[frames.count - 1].capturesMarkup = true
        capture = frames.count - 1
        frames[frames.count - 1].text = Array(MarkupWriting.escaped(string(frames[frames.count - 1])).utf8)
    }

    func documentIsCutOff() { isCutOff = true }

    // MARK: Structure

    func isCore(_ name: MarkupName) -> Bool {
        switch name.vocabulary {
        case .none, .rss, .atom: true
        case .other: !name.hasPrefix || rootPrefix.map { name.written.hasPrefix($0) } == true
        default: false
        }
    }

    /// Records the prefix of the root element if its vocabulary is unknown, such as `rss:rss`.
    private func noteRootPrefix(_ name: MarkupName) {
        guard frames.isEmpty, name.vocabulary == .other, ["rss", "feed", "rdf"].contains(name.local),
            let colon = name.written.firstIndex(of: ":")
        else { return }
        rootPrefix = String(name.written[...colon])
    }

    /// Whether an element's vocabulary is unknown, so that its content doesn't belong to the entry, unless the root
    /// element has the same vocabulary.
    private func isUnknown(_ frame: FeedElement) -> Bool {
        guard frame.name.vocabulary == .other else { return false }
        if frame.name.hasPrefix { return !isCore(frame.name) }
        return frames.first?.name.vocabulary != .other
    }

    private func capturesMarkup(_ frame: FeedElement) -> Bool {
        guard place != .document else { return false }
        if frame.name.vocabulary == .xhtml, frame.name.local == "body" || frame.name.local == "div" { return true }
        guard frame.name.isTextConstruct else { return false }
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

    private func open(_ name: MarkupName, _ frame: FeedElement) {
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
            // The Channel Definition Format has an item's address and date in attributes.
            draft.entry.link = frame.link("href")
            draft.entry.updated = frame.attribute("lastmod").flatMap(date)
        case ("image", .feed), ("image", .document), ("image", .entry): enter(.image)
        case ("textinput", _), ("textInput", _): enter(.textInput)
        case ("author", .feed), ("author", .entry), ("author", .source), ("managingeditor", .feed):
            author = ParsedAuthor()
            enter(.author)
        case ("contributor", .feed), ("contributor", .entry):
            author = ParsedAuthor()
            enter(.contributor)
        case ("source", .entry): enter(.source)
        case ("link", .entry), ("link", .feed): takeLink(frame)
        case ("category", .entry):
            if let tag = frame.attribute("label") ?? frame.attribute("term") { takeTag(tag) }
        case ("enclosure", .entry): takeEnclosure(frame.link("url"), frame)
        case ("content", .entry): draft.entry.externalLink = draft.entry.externalLink ?? frame.link("src")
        default: break
        }
    }

    /// Handles the attributes of the Channel Definition Format (CDF) with the home page and the base of all links.
    private func openChannelDefinition(_ frame: FeedElement) {
        if let own = frame.attribute("base") { frames[frames.count - 1].base = WebAddress.resolve(own, base: base) }
        if let address = frame.attribute("href") { feed.homePage = WebAddress.resolve(address, base: base) }
        if let changed = frame.attribute("lastmod") { feed.updated = date(changed) }
    }

    /// Whether an open element between the entry or feed and this one has its own titles and links.
    private var isInsideForeignElement: Bool {
        guard let last = places.last, frames.count > last.depth + 1 else { return false }
        return frames[last.depth..<frames.count - 1].contains { $0.name.isForeign || isUnknown($0) }
    }

    private func openExtension(_ name: MarkupName, _ frame: FeedElement) {
        guard place == .entry || place == .feed, !isInsideForeignElement else { return }
        switch (name.vocabulary, name.local) {
        case (.media, "content"):
            let medium = frame.attribute("medium") ?? frame.attribute("type") ?? ""
            if medium.hasPrefix("image") {
                takeImage(frame.link("url"))
                takePicture(frame)
            } else {
                let type = frame.attribute("type") == nil ? "medium" : "type"
                takeEnclosure(frame.link("url"), frame, type: type, size: "filesize")
                draft.mediaDuration =
                    draft.mediaDuration ?? frame.attribute("duration").flatMap(FeedBuilder.duration)
            }
        case (.media, "thumbnail"): takeImage(frame.link("url"))
        case (.media, "player") where place == .entry:
            draft.player = draft.player ?? frame.link("url")
        case (.podcast, "source") where place == .entry: draft.takeAlternate(source: frame, in: frames.dropLast().last)
        case (.itunes, "image"):
            takeImage((frame.attribute("href") ?? frame.attribute("url")).flatMap(frame.resolved))
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

    private func close(_ place: Place, _ frame: FeedElement) {
        switch place {
        case .entry: finishEntry()
        case .author, .contributor:
            // RSS has the author as text, Atom as elements.
            if author.isEmpty { author = FeedBuilder.author(Markup.plainText(string(frame))) }
            guard !author.isEmpty, place == .author else { return }
            switch self.place {
            case .entry: takeAuthor(author)
            case .source: draft.sourceAuthors.append(author)
            case .feed: feed.authors.append(author)
            default: break
            }
        default: break
        }
    }

    private func finishEntry() {
        draft.finish()
        // An incomplete entry without an identity would remain forever beside the complete one that arrives later.
        draft.entry.isStump = isCutOff && draft.entry.id == nil && draft.entry.link == nil
        // Entries without title, link or date are kept (row FEE-02). One more than the maximum is kept to report that
        // there are too many.
        if feed.entries.count <= FeedParser.maximumEntries { feed.entries.append(draft.entry) }
    }
}
