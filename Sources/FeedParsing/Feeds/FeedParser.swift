import CLibXML2
/// Reads feeds of every known format.
///
/// A caller need not know the format: RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0 and JSON Feed are told apart by their
/// content. As much as can be read is read; what was wrong is in ``FeedReading/problems``.
package enum FeedParser {
    /// The most entries that are kept of one document.
    package static let maximumEntries = 10_000

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: The document as it came.
    ///   - contentType: The HTTP header of that name; its charset takes part in finding the encoding (RFC 7303).
    ///   - base: The address that relative links are resolved against where the document names none.
    /// - Throws: ``FeedError`` when nothing could be read.
    package static func parse(_ bytes: [UInt8], contentType: String? = nil, base: String? = nil) throws(FeedError)
        -> FeedReading
    {
        let document = TextDecoding.decode(bytes, contentType: contentType)
        guard let first = document.utf8.first(where: { !isBlank($0) }) else { throw .empty }
        var reading: FeedReading
        if first == UInt8(ascii: "{") {
            reading = try JSONFeedReader.read(document.utf8, base: base)
        } else {
            reading = try readMarkup(document.utf8, base: base)
        }
        if let problem = document.problem { reading.problems.insert(FeedProblem(problem), at: 0) }
        if reading.feed.entries.count > maximumEntries {
            reading.problems.append(
                FeedProblem("only the first \(maximumEntries) entries were read"))
            reading.feed.entries.removeSubrange(maximumEntries...)
        }
        return reading
    }

    /// What is well-formed is read as XML. Of what is not, as much as can be read: whichever of the two ways finds more.
    private static func readMarkup(_ utf8: [UInt8], base: String?) throws(FeedError) -> FeedReading {
        let builder = FeedBuilder(base: base)
        let problems = XMLReader.read(utf8, into: builder)
        let strict = builder.finish()
        if let strict, problems.isEmpty { return FeedReading(feed: strict, problems: []) }
        let second = FeedBuilder(base: base)
        LooseXMLReader.read(utf8, into: second)
        let loose = second.finish()
        if let loose, loose.entries.count >= strict?.entries.count ?? 0 {
            // A page for people may well have an element of a feed's name in it, but no entries.
            if !(builder.sawHTML || second.sawHTML) || !loose.entries.isEmpty {
                return FeedReading(feed: loose, problems: problems)
            }
        }
        if let strict { return FeedReading(feed: strict, problems: problems) }
        if builder.sawHTML || second.sawHTML { throw .html }
        throw .unknownFormat(problems.first)
    }

    @inline(__always) static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}

extension FeedParser {
    /// libxml2 with the version that the program was built with.
    package static var libraryVersion: String { "libxml2 \(LIBXML_DOTTED_VERSION)" }
}
