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
            let builder = FeedBuilder(base: base)
            let problems = XMLReader.read(document.utf8, into: builder)
            guard let feed = builder.finish() else {
                if builder.sawHTML { throw .html }
                throw .unknownFormat(problems.first)
            }
            reading = FeedReading(feed: feed, problems: problems)
        }
        if let problem = document.problem { reading.problems.insert(FeedProblem(problem), at: 0) }
        if reading.feed.entries.count > maximumEntries {
            reading.problems.append(
                FeedProblem("only the first \(maximumEntries) of \(reading.feed.entries.count) entries are kept"))
            reading.feed.entries.removeSubrange(maximumEntries...)
        }
        return reading
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}
