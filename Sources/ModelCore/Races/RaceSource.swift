import Fetching
import Foundation

/// Where races come from and go to by the user's wish: files, and for reading also addresses of the web.
package struct RaceSource: Sendable {
    /// Bytes of a race file from the web.
    static let maximumBytes = 8 << 20
    private let fetcher: Fetcher

    package init(fetcher: Fetcher = Fetcher()) { self.fetcher = fetcher }

    /// The address that a text is; `nil` for the path of a file. Calendars are often linked to as `webcal`.
    package static func address(_ text: String) -> String? {
        for (scheme, other) in [("https://", "https://"), ("http://", "http://"), ("webcal://", "https://")]
        where text.lowercased().hasPrefix(scheme) {
            return other + text.dropFirst(scheme.count)
        }
        return nil
    }

    /// Reads a race from a file of the computer or an address of the web.
    ///
    /// - Parameter name: The race's name where the file has none; `nil`: the file's.
    package func read(_ place: String, name: String? = nil) async throws -> Race {
        let data =
            if let address = RaceSource.address(place) { try await fetch(address) } else { try UserFile.read(place) }
        return try RaceFile.read(data, name: name ?? RaceFile.name(ofFile: place))
    }

    private func fetch(_ address: String) async throws -> Data {
        var request = FetchRequest(url: address, allowsPrivateHost: true)
        request.limits.body = RaceSource.maximumBytes
        let answer = try await fetcher.fetch(request)
        guard (200..<300).contains(answer.status) else {
            throw PageService.Failure(description: "the server answered \(answer.status)")
        }
        return Data(answer.body)
    }

    /// Writes a race as a JSON file; one that is there already is not overwritten.
    package func write(_ race: Race, to path: String) throws {
        try UserFile.write(try RaceFile.write(race), to: path)
    }
}
