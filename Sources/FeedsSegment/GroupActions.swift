import DashboardFrame
import Feeds
import TerminalUI

/// Actions for a folder or tag: expand, collapse, rename, and mark as read.
@MainActor
struct GroupActions {
    let access: LibraryAccess
    let rows: FeedListRows
    weak var presenter: ViewController?

    func commands(for group: FeedListModel.Group) -> [Command] {
        let fold = Command(FeedCommands.collapseGroup, title: group.isClosed ? "Expand" : "Collapse") { [rows] in
            rows.arrange(by: .collapseGroup(group.group, !group.isClosed), isOwnStep: false)
        }
        let mark = Command(FeedCommands.markFeedRead) { [access] in access.markAllRead(in: group.scope) }
        guard group.group != .hidden else { return [fold, mark] }
        return [fold, mark, Command(FeedCommands.renameFeed) { rename(group.group) }]
    }

    private func rename(_ group: FeedGroup) {
        let isTag = if case .tag = group { true } else { false }
        presenter?.present(
            TextPromptViewController(
                title: "Rename",
                message: isTag
                    ? "The tag's name; an existing name merges both, none removes the tag"
                    : "The folder's name; an existing name merges both, none dissolves the folder", text: group.name
            ) { [access] name in
                let name = isTag ? name.replacing(" ", with: "-") : name
                guard name != group.name else { return }
                access.changes.submit(.renameGroup(group, to: name))
            })
    }
}
