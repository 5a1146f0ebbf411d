import FeedParsing
import Feeds
import Fetching
import Foundation
import LibraryKernel
import WebAddresses

/// The type of document found at an address to follow.
package enum FollowedDocument: Sendable {
    case race(Race, RaceSubscription)
    case directory([ListedRace], DirectorySubscription)

    /// The change that follows the document.
    package var change: Change {
        switch self {
        case .race(let race, let subscription): .followRace(race, subscription)
        case .directory(let races, let subscription): .followDirectory(races, subscription)
        }
    }

    /// The followed race or directory in words.
    package var words: String {
        switch self {
        case .race(let race, _): "\(race.race) \(race.year) with \(race.countOfStages)"
        case .directory(let races, let subscription): "\(subscription.title) with \(races.count) races"
        }
    }
}

/// The result of updating a directory.
package struct DirectoryUpdate: Sendable {
    package var subscription: DirectorySubscription
    package var error: String?
}

/// Updates of directories of races, page by page.
extension RaceFollowService {
    /// The number of seconds between updates of a directory.
    private static let pauseOfDirectories: Int64 = 86_400

    /// Updates the directories that the user follows.
    package func updateDirectories(reason: ReloadService.Reason) async throws(LibraryError) -> [DirectoryUpdate] {
        var updates: [DirectoryUpdate] = []
        for previous in try library.races.directories() where !Task.isCancelled {
            let now = clock()
            let held = FetchSchedule.heldBack(
                notBefore: previous.notBefore, nextFetch: previous.nextFetch, reason, now: now)
            guard held == nil else { continue }
            var subscription = previous
            do {
                let races = try await pages(&subscription)
                let before = try library.races.listedCount(of: previous.address)
                if let races, races.count * 2 < before {
                    throw PageService.Failure(
                        description:
                            "it now lists only \(races.count) of \(before) races; 'tappa race follow \(UserInfo.split(previous.address).address)' accepts this"
                    )
                }
                try await library.changes.perform(UpdateDirectory(races, subscription))
                updates.append(DirectoryUpdate(subscription: subscription))
            } catch FetchError.cancelled {
                continue
            } catch {
                var failed = previous
                failed.failures += 1
                failed.error = "\(error)"
                failed.notBefore = subscription.notBefore
                failed.nextFetch = FetchSchedule.retry(failures: failed.failures, now: now)
                _ = try? await library.changes.perform(UpdateDirectory(nil, failed))
                updates.append(DirectoryUpdate(subscription: failed, error: "\(error)"))
            }
        }
        return updates
    }

    /// Reads all pages of a directory.
    ///
    /// - Returns: The races, or `nil` if the first page has not changed.
    private func pages(_ subscription: inout DirectorySubscription) async throws -> [ListedRace]? {
        let first = try await documents.answer(
            subscription.address, etag: subscription.etag, lastModified: subscription.lastModified,
            notBefore: &subscription.notBefore)
        let now = clock()
        defer {
            subscription.error = nil
            subscription.failures = 0
            subscription.lastSuccess = now
            subscription.nextFetch = now + RaceFollowService.pauseOfDirectories
        }
        if first.status == 304 { return nil }
        subscription.etag = first.headers["etag"]
        subscription.lastModified = first.headers["last-modified"]
        subscription.notBefore = nil
        let page = try RaceDirectory.read(Data(first.body), at: subscription.address)
        subscription.title = page.title ?? subscription.title
        return try await documents.rest(of: page, at: subscription.address)
    }
}
