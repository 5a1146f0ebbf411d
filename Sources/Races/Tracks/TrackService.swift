import FeedParsing
import Feeds
import Fetching
import Foundation
import GRDB
import LibraryKernel

/// Fetches the tracks that races link to, each once.
package struct TrackService: Sendable {
    private let library: Library
    private let fetcher: Fetcher
    private let clock: @Sendable () -> Instant
    /// The maximum number of tracks in one call, and the maximum size of a track in bytes.
    private static let (maximum, longest) = (30, 16 << 20)
    /// The number of seconds after which a track that could not be read is requested again.
    private static let pause: Int64 = 86_400

    package init(
        library: Library, fetcher: Fetcher = Fetcher(),
        clock: @escaping @Sendable () -> Instant = { .now }
    ) {
        self.library = library
        self.fetcher = fetcher
        self.clock = clock
    }

    /// Fetches missing tracks.
    ///
    /// - Returns: The errors by address.
    package func fetchMissing() async throws -> [(address: String, error: String)] {
        var problems: [(address: String, error: String)] = []
        for (address, race) in try library.races.missingTracks(
            before: clock() - TrackService.pause, limit: TrackService.maximum)
        where !Task.isCancelled {
            var track: Track?
            do { track = try await read(address, race: race) } catch FetchError.cancelled { break } catch {
                problems.append((address, "\(error)"))
            }
            try await library.changes.perform(StoreFetchedTrack(track, address: address, now: clock()))
        }
        return problems
    }

    /// - Parameter race: The address of the race that links to the track. If its host is private, the track may be on
    ///   the same host.
    private func read(_ address: String, race: String?) async throws -> Track {
        let isOnRaceHost = race.map { TrustedHost.of($0) == TrustedHost.of(address) } ?? false
        var request = FetchRequest(url: address, allowsPrivateHost: isOnRaceHost)
        request.limits.body = TrackService.longest
        let answer = try await fetcher.fetch(request)
        guard (200..<300).contains(answer.status) else {
            throw PageService.Failure(description: HTTPStatus.sentence(for: answer.status))
        }
        if answer.isCut { throw PageService.Failure(description: "the document was cut off") }
        return try TrackReader.read(answer.body)
    }
}

extension RaceStore {
    /// Returns the addresses of tracks that were never requested, or failed before an instant, with the addresses of
    /// their followed races.
    func missingTracks(before: Instant, limit: Int) throws(LibraryError) -> [(address: String, race: String?)] {
        try store.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT json_extract(s.details, '$.trackURL') AS address,
                        (SELECT r.address FROM race_source r WHERE r.race_id = s.race_id)
                    FROM stage s LEFT JOIN fetched_track t ON t.address = json_extract(s.details, '$.trackURL')
                    WHERE json_extract(s.details, '$.trackURL') IS NOT NULL
                        AND (t.address IS NULL OR (t.points IS NULL AND t.fetched < ?))
                        AND NOT EXISTS (SELECT 1 FROM stage_track u WHERE u.race_id = s.race_id AND u.number = s.number)
                    LIMIT ?
                    """, arguments: [before, limit]
            ).compactMap { row in
                let address: String = try row.at(0)
                return RaceSource.address(address) == nil ? nil : (address, try row.at(1))
            }
        }
    }
}
