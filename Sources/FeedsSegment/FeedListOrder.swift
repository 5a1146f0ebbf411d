import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// The possible moves in the list of feeds, and the changes that perform them.
struct FeedListOrder {
    private let model: FeedListModel

    init(_ model: FeedListModel) { self.model = model }

    /// Returns the change that moves a row among its siblings, or `nil` if it can't move further.
    func moving(_ path: RowPath?, _ step: Int) -> Change? {
        guard let path, let row = model.row(at: path) else { return nil }
        func moved<Value: Equatable>(_ value: Value, in values: [Value]) -> [Value]? {
            guard let index = values.firstIndex(of: value), values.indices.contains(index + step) else { return nil }
            return FeedListOrder.moved(value, to: values[index + step], in: values)
        }
        switch row {
        case .subscription(_, .tag), .list, .account: return nil
        case .subscription(let feed, let group):
            let own = model.sections[path.section].rows.compactMap { other -> FeedID? in
                guard case .subscription(let item, group) = other else { return nil }
                return item.id
            }
            return moved(feed.id, in: own).map { .orderFeeds($0) }
        case .search(let search): return moved(search.id, in: searches).map { .orderSearches($0) }
        case .group(let group): return moved(group.group, in: groups(around: path)).map { .orderGroups($0) }
        }
    }

    func canDrag(_ path: RowPath) -> Bool {
        switch model.row(at: path) {
        case .subscription, .search: true
        case .group(let group): group.group != .hidden
        case .list, .account, nil: false
        }
    }

    /// Returns the change for a drag.
    ///
    /// A feed dropped on a folder moves into it; dropped on a tag it receives the tag. A row dropped on another of its
    /// kind takes that row's place, a feed also its folder.
    ///
    /// - Parameter tags: Returns the tags of a feed.
    func dropping(_ path: RowPath, on target: RowPath, tags: (FeedID) -> [String]) -> Change? {
        guard let from = model.row(at: path), let to = model.row(at: target) else { return nil }
        switch (from, to) {
        case (.subscription(let feed, _), .group(let group)):
            switch group.group {
            case .folder(let name, feed.account): return .move(feed.id, folder: name)
            case .tag(let tag): return .tag(feed.id, tags(feed.id) + [tag])
            case .folder, .hidden: return nil
            }
        case (.subscription(let feed, _), .subscription(let other, _)) where feed.account == other.account:
            if feed.folder != other.folder { return .move(feed.id, folder: other.folder) }
            let own = model.contents.subscriptions.filter { $0.account == feed.account && $0.folder == feed.folder }
            return FeedListOrder.moved(feed.id, to: other.id, in: own.map(\.id)).map { .orderFeeds($0) }
        case (.search(let search), .search(let other)):
            return FeedListOrder.moved(search.id, to: other.id, in: searches).map { .orderSearches($0) }
        case (.group(let group), .group(let other)):
            return FeedListOrder.moved(group.group, to: other.group, in: groups(around: path)).map {
                .orderGroups($0)
            }
        default: return nil
        }
    }

    /// Returns values of which one has the place of another, or `nil` if either is missing.
    private static func moved<Value: Equatable>(_ value: Value, to place: Value, in values: [Value]) -> [Value]? {
        guard let start = values.firstIndex(of: value), let end = values.firstIndex(of: place) else { return nil }
        var values = values
        values.insert(values.remove(at: start), at: end)
        return values
    }

    private var searches: [SearchID] { model.contents.searches.map(\.id) }

    private func groups(around path: RowPath) -> [FeedGroup] {
        model.sections[path.section].rows.compactMap { row in
            if case .group(let group) = row { group.group } else { nil }
        }
    }
}
