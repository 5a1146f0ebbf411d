import WebAddresses

/// An entry while its element is open. Fields that several vocabularies supply are collected here until all are known.
struct EntryDraft {
    var entry = ParsedEntry()
    /// A guid that is an address.
    var permanentID: String?
    /// Whether an element contained an identifier.
    var hasID = false
    var linkRank = 0
    var commentsAreFeed = false
    /// The authors of the feed from which an entry was copied (RFC 4287, section 4.2.11).
    var sourceAuthors: [ParsedAuthor] = []
    var pictures: [(url: String, description: String?)] = []

    /// The recording in other formats.
    var alternates: [ParsedEnclosure] = []

    /// Records the recording in another format with its first web address, for an entry that has no other.
    mutating func takeAlternate(source frame: FeedElement, in outer: FeedElement?) {
        guard let outer, outer.name.local == "alternateenclosure", alternates.count < 100,
            let address = frame.link("uri"), WebAddress.isWeb(address)
        else { return }
        let alternate = ParsedEnclosure(
            url: address, mediaType: (frame.attribute("contenttype") ?? outer.attribute("type"))?.nonEmpty,
            size: outer.attribute("length").flatMap { Int64($0.trimmingBlanks) })
        let isFirst = outer.attribute("default")?.lowercased() == "true"
        alternates.insert(alternate, at: isFirst ? 0 : alternates.count)
    }

    /// A description, which vocabularies for media have as plain text or as HTML.
    enum Description {
        case html(String), plain(String)
    }

    /// Whether one of the open elements belongs to a picture.
    func isInPicture(_ frames: [FeedElement]) -> Bool {
        frames.last.map { $0.name.vocabulary == .media && $0.name.local == "content" } == true && !pictures.isEmpty
    }

    mutating func describePicture(_ text: String) {
        if !text.isEmpty { pictures[pictures.count - 1].description = text }
    }

    /// The HTML of the element `description`, or of a summary outside Atom.
    var description: String?
    var sawSummary = false
    var created: ParsedDate?
    var dublinCoreDate: ParsedDate?
    /// Atom 0.3's date of the last change.
    var modified: ParsedDate?
    /// The page on which a video plays (Media RSS).
    var player: String?
    /// The duration of a video in seconds, if its file isn't in the feed.
    var mediaDuration: Double?
    var mediaTitle: String?
    var mediaDescription: Description?
    var itunesSummary: Description?
    var itunesAuthor: String?
    var itunesDuration: Double?

    /// Replaces missing fields of the entry with substitutes.
    mutating func finish() {
        if entry.link == nil { entry.link = permanentID }
        // A content without anything to see doesn't hide a description.
        if entry.contentHTML.map(Markup.isInvisible) == true,
            description != nil || mediaDescription != nil || itunesSummary != nil || entry.summary != nil
        {
            entry.contentHTML = nil
        }
        if entry.contentHTML == nil, entry.contentText == nil {
            entry.contentHTML = description
            if entry.contentHTML == nil { takeMediaDescription() }
        } else if entry.summary == nil {
            entry.summary = description
        }
        addPictures()
        if entry.authors.isEmpty { entry.authors = sourceAuthors }
        entry.contentHTML = entry.contentHTML.map { ActiveMarkup.removed(from: Markup.withoutDoubleEscapes($0)) }
        entry.summary = entry.summary.map { Markup.withoutDoubleEscapes($0) }
        entry.title = entry.title ?? mediaTitle
        if entry.authors.isEmpty, let itunesAuthor { entry.authors = [ParsedAuthor(name: itunesAuthor)] }
        entry.published = entry.published ?? dublinCoreDate ?? created ?? modified
        if !entry.enclosures.contains(where: \.isMedia), let first = alternates.first { entry.enclosures.append(first) }
        addPlayer()
        entry.image = entry.image ?? entry.enclosures.first(where: \.isPicture)?.url
        if let itunesDuration, entry.enclosures.count == 1 { entry.enclosures[0].duration = itunesDuration }
    }

    private mutating func takeMediaDescription() {
        switch mediaDescription ?? itunesSummary {
        case .html(let text): entry.contentHTML = text
        // A picture has its own place for its description.
        case .plain(let text): entry.contentText = Markup.decodeEntities(text)
        case nil: break
        }
    }

    /// Adds the page on which a video plays, unless there is a file. It replaces a Flash film, which nothing plays any
    /// more. Without a player, it is the entry's page.
    private mutating func addPlayer() {
        let film = entry.enclosures.first(where: \.isFlash)
        guard let page = player ?? (film == nil ? nil : entry.link), WebAddress.isWeb(page),
            !entry.enclosures.contains(where: \.isMedia)
        else { return }
        entry.enclosures.removeAll { $0.isFlash || $0.url == page }
        entry.enclosures.insert(
            ParsedEnclosure(url: page, mediaType: ParsedEnclosure.pageType, duration: film?.duration ?? mediaDuration),
            at: 0)
    }

    /// Appends pictures and descriptions that the text doesn't contain, since entries have no field for several
    /// pictures.
    private mutating func addPictures() {
        guard pictures.count > 1 || pictures.contains(where: { $0.description != nil }) else { return }
        var html = entry.contentHTML ?? entry.contentText.map(MarkupWriting.paragraph) ?? ""
        for picture in pictures {
            let url = MarkupWriting.escaped(picture.url)
            guard !html.has(picture.url), !html.has(url) else { continue }
            html += "<p><img src=\"\(url)\" alt=\"\(MarkupWriting.escaped(picture.description ?? ""))\"></p>"
        }
        entry.contentHTML = html
    }
}
