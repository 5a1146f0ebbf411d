import CLibXML2
// Exported to the whole module and to importing files, because Swift's own conversions can trap.
@_exported import Platform

/// Parses feeds in all supported formats.
///
/// RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, and JSON Feed are recognised by their content. As much as possible is read,
/// and errors are in ``FeedReading/problems``.
package enum FeedParser {
    static let maximumEntries = 10_000

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - contentType: The HTTP header, whose charset helps to find the encoding (RFC 7303).
    ///   - base: The base of relative links if the document states none.
    /// - Throws: ``FeedError`` if nothing could be read.
    package static func parse(_ bytes: [UInt8], contentType: String? = nil, base: String? = nil) throws(FeedError)
        -> FeedReading
    {
        let document = TextDecoding.decode(bytes, contentType: contentType)
        guard let first = document.utf8.first(where: { !$0.isBlank }) else { throw .empty }
        var reading: FeedReading
        if first == UInt8(ascii: "{") {
            reading = try JSONFeedReader.read(document.utf8, base: base)
        } else {
            reading = try readMarkup(document.utf8, base: base)
        }
        if let problem = document.problem { reading.problems.insert(FeedProblem(problem), at: 0) }
        if reading.feed.entries.count > maximumEntries {
            reading.problems.append(FeedProblem("only the first \(maximumEntries) entries were read"))
            reading.feed.entries.removeSubrange(maximumEntries...)
        }
        return reading
    }

    /// Parses well-formed documents as XML. Others are read in both ways, and the one with more entries wins.
    private static func readMarkup(_ utf8: [UInt8], base: String?) throws(FeedError) -> FeedReading {
        let quick = FeedBuilder(base: base, hasValidText: true)
        if WellFormedXMLReader.read(utf8, into: quick), let feed = quick.finish() {
            return FeedReading(feed: feed, problems: [])
        }
        let first = FeedBuilder(base: base)
        let problems = XMLReader.read(utf8, into: first)
        let strict = first.finish()
        if let strict, problems.isEmpty { return FeedReading(feed: strict, problems: []) }
        let second = FeedBuilder(base: base)
        LooseXMLReader.read(utf8, into: second)
        let loose = second.finish()
        // The loose reader reads everything, so it knows where the document ends.
        let isCutOff = second.isCutOff
        let sawHTML = first.sawHTML || second.sawHTML
        var best = strict
        // A web page may contain an element with a feed's name, but no entries.
        if let loose, loose.entries.count >= strict?.entries.count ?? 0, !sawHTML || !loose.entries.isEmpty {
            best = loose
        }
        if let best {
            guard !isCutOff || !best.entries.isEmpty else { throw .incomplete }
            return FeedReading(feed: best, problems: problems, isCutOff: isCutOff)
        }
        if endsInFirstTag(utf8) { throw .incomplete }
        if sawHTML { throw .html }
        throw .unknownFormat(problems.first)
    }

    private static func endsInFirstTag(_ utf8: [UInt8]) -> Bool {
        var index = utf8.firstIndex { !$0.isBlank } ?? utf8.endIndex
        while index < utf8.count, utf8[index] == UInt8(ascii: "<") {
            guard let end = utf8.place(of: UInt8(ascii: ">"), from: index) else { return true }
            guard utf8[index + 1] == UInt8(ascii: "?") || utf8[index + 1] == UInt8(ascii: "!") else { return false }
            index = utf8[(end + 1)...].firstIndex { !$0.isBlank } ?? utf8.endIndex
        }
        return false
    }

    /// The version of libxml2 with which the program was built.
    package static var libraryVersion: String { "libxml2 \(LIBXML_DOTTED_VERSION)" }
}
