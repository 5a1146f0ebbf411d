/// The address of a link, for terminals that open links themselves (OSC 8).
public struct Hyperlink: Hashable, Sendable {
    let address: String
    /// The number of the link, which its parts on several lines share.
    let number: Int32

    /// The maximum length of an address in bytes (VTE's limit).
    private static let maximumBytes = 2083

    /// Creates a link.
    ///
    /// - Parameters:
    ///   - address: A web or mail address in visible ASCII. Anything else could end the sequence.
    ///   - number: The number that distinguishes the link from others.
    public init?(_ address: String, number: Int32) {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard ["http", "https", "mailto"].contains(scheme), address.utf8.count <= Hyperlink.maximumBytes,
            address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.address = address
        self.number = number
    }
}

/// The cells of a row that belong to a link.
struct HyperlinkRun: Hashable {
    var row: Int
    var columns: Range<Int>
    var link: Hyperlink
}
