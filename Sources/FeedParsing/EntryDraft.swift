/// An entry while its element is open: fields that several vocabularies give wait here until all are known.
struct EntryDraft {
    var entry = ParsedEntry()
    /// A guid that is an address.
    var permanentID: String?
    /// HTML of the element `description`, or of a summary that is none of Atom's plain ones.
    var description: String?
    /// Whether a summary came before the description.
    var sawSummary = false
    var created: ParsedDate?
    var dublinCoreDate: ParsedDate?
    var mediaTitle: String?
    var mediaDescription: String?
    var itunesSummary: String?
    var itunesAuthor: String?
    var itunesDuration: Double?

    /// The entry with the fields that stand in for missing ones.
    func finished() -> ParsedEntry {
        var result = entry
        if result.link == nil { result.link = permanentID }
        if result.contentHTML == nil, result.contentText == nil {
            result.contentHTML = description ?? mediaDescription ?? itunesSummary
        } else if result.summary == nil {
            result.summary = description
        }
        result.contentHTML = result.contentHTML.map { ActiveMarkup.removed(from: $0) }
        result.title = result.title ?? mediaTitle
        if result.authors.isEmpty, let itunesAuthor { result.authors = [ParsedAuthor(name: itunesAuthor)] }
        result.published = result.published ?? dublinCoreDate ?? created
        if let itunesDuration, result.enclosures.count == 1 { result.enclosures[0].duration = itunesDuration }
        return result
    }
}
