import Feeds
import Fetching
import Foundation
import LibraryKernel
import RaceModel
import WebAddresses

/// Reads races from files and web addresses, and writes them to files.
package struct RaceSource: Sendable {
    /// The maximum size of a race file from the web in bytes.
    static let maximumBytes = 8 << 20
    private let fetcher: Fetcher

    package init(fetcher: Fetcher = Fetcher()) { self.fetcher = fetcher }

    /// Returns the web address that a text contains, or `nil` if it is a path. Links to calendars often use the scheme
    /// `webcal`.
    package static func address(_ text: String) -> String? {
        guard let written = WrittenAddress(text) else { return nil }
        switch written.scheme.lowercased() {
        case "http": return "http://" + written.afterScheme
        case "https", "webcal": return "https://" + written.afterScheme
        default: return nil
        }
    }

    /// Reads a race from a regular file or web address. A pipe might block, and a terminal device takes the keys.
    ///
    /// - Parameter name: The name for a file without one; `nil` uses the file's name.
    package func read(_ place: String, name: String? = nil) async throws -> Race {
        let data =
            if let address = RaceSource.address(place) {
                try await fetch(address)
            } else {
                try UserFile.read(place, maximum: RaceSource.maximumBytes, isFound: true)
            }
        return try RaceFile.read(data, name: name ?? RaceFile.name(ofFile: place))
    }

    private func fetch(_ address: String) async throws -> Data {
        var request = FetchRequest(url: address, allowsPrivateHost: true)
        request.limits.body = RaceSource.maximumBytes
        let answer = try await fetcher.fetch(request)
        guard (200..<300).contains(answer.status) else {
            throw PageService.Failure(description: HTTPStatus.sentence(for: answer.status))
        }
        return Data(answer.body)
    }

    /// Writes a race as a JSON file. An existing file is not overwritten.
    package func write(_ race: Race, to path: String) throws {
        try UserFile.write(try RaceFile.write(race), to: path)
    }
}
