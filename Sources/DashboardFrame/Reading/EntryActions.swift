import Articles
import Feeds
import LibraryKernel
import ModelCore
import TerminalUI

/// A sequence of entries to read: a list, search results, or the news about a stage.
@MainActor
package protocol EntrySequence: AnyObject {
    /// The scope that can be marked as read as a whole, or `nil` if the entries don't form one.
    var wholeScope: EntryScope? { get }
    /// Returns the row of an entry if it was loaded.
    func knownRow(of id: EntryID) -> EntryRow?
    /// Returns the index of an entry and the number of entries, or `nil` if it isn't among them.
    func position(of id: EntryID) -> (index: Int, count: Int)?
    /// Opens the next unread entry after the selected one, or the previous one if `step` is negative.
    func openUnread(_ step: Int)
    /// Opens the entry `step` places further.
    func openNeighbour(_ step: Int)
    /// Opens the entry that took the place of the deleted one, if any.
    func didDeleteOpenEntry()
    /// Opens another feed, or `nil` if it belongs to no feed.
    var openFeed: OpenFeed? { get }
}

/// Opens the feed some steps further in the list of feeds, with an entry or only its list.
package typealias OpenFeed = (_ step: Int, _ opensEntry: Bool) -> Void

extension EntrySequence {
    package var openFeed: OpenFeed? { nil }
}

/// A view controller with entries to act on: a list, an article, a preview or a page.
@MainActor
package protocol EntryActing: ViewController {
    /// The selected or open entry.
    var actionEntry: EntryRow? { get }
    /// The marked entries, or otherwise the selected one.
    var actionEntries: [EntryRow] { get }
    /// Returns the marked entries, or otherwise the whole list, up to a maximum number.
    func listedEntries(maximum: Int) -> [EntryRow]
    /// The sequence that the entry belongs to.
    var sequence: (any EntrySequence)? { get }
    /// Returns the address for the browser. It is looked up only on request.
    func actionLink() -> String?
    func presentDates()
    /// Called after an action on all marked entries.
    func didAct()
    func deleteEntries()
}

extension EntryActing {
    package var actionEntries: [EntryRow] { actionEntry.map { [$0] } ?? [] }
    package func listedEntries(maximum: Int) -> [EntryRow] {
        guard let list = sequence as? any EntryListing, list !== self else { return actionEntries }
        return list.listedEntries(maximum: maximum)
    }
    package func didAct() {}
}

/// A list of entries.
@MainActor
package protocol EntryListing: EntryActing {
    var services: EntryServices { get }
    var table: TableView { get }
    var rowCount: Int { get }
    /// Returns the entry in a row, or `nil` if there is none.
    func entry(at row: Int) -> EntryRow?
    /// Opens an entry of the list.
    func open(_ row: EntryRow)
}

extension EntryListing {
    private var access: LibraryAccess { services.access }

    package var actionEntry: EntryRow? { table.selectedPath.flatMap { entry(at: $0.row) } }

    package var actionEntries: [EntryRow] { table.actionPaths.compactMap { entry(at: $0.row) } }

    package func listedEntries(maximum: Int) -> [EntryRow] {
        table.markedPaths.isEmpty ? (0..<min(maximum, rowCount)).compactMap(entry) : actionEntries
    }

    package func openNeighbour(_ step: Int) {
        guard let row = table.selectedPath.map({ $0.row + step }), let entry = entry(at: row) else { return }
        table.select(RowPath(row: row))
        open(entry)
    }

    private var chosenDetail: EntryDetail? {
        actionEntry.flatMap { row in access.read(nil) { try $0.entries.detail(of: row.id) } }
    }

    package func actionLink() -> String? { chosenDetail?.address }

    package func presentDates() {
        guard let entry = actionEntry else { return }
        PublishDateViewController(entry: entry.id, services).present(over: self, atRow: entry.id, of: table)
    }

    package func didAct() { table.clearMarks() }

    /// Marks an opened entry as read if the setting says so.
    package func noteOpened(_ row: EntryRow) {
        guard access.settings[.markReadOnOpen], !row.isRead else { return }
        access.setMark(.read, true, [row.id], isOwnStep: false)
    }

    /// Deletes entries, and calls a closure once that is stored.
    package func delete(_ rows: [EntryRow], stored: @escaping @MainActor () -> Void = {}) {
        guard !rows.isEmpty else { return }
        access.changes.submit(.delete(entries: rows.map(\.id), now: access.clock())) { _ in stored() }
        table.clearMarks()
    }
}

extension EntryListing where Self: EntrySequence {
    package var sequence: (any EntrySequence)? { self }
}

/// The actions for entries, which are the same wherever entries appear.
@MainActor
package struct EntryActions {
    private let services: EntryServices
    private var access: LibraryAccess { services.access }
    private weak var owner: (any EntryActing)?

    package init(_ owner: any EntryActing, _ services: EntryServices) {
        self.owner = owner
        self.services = services
    }

    /// All commands: for reading on, marking and opening.
    package var commands: [Command] {
        // This may need a query, so it is evaluated once for all commands.
        let entry = owner?.actionEntry
        return going + marking(entry) + opening(entry) + own(hasEntry: entry != nil)
    }

    /// The commands for a page whose link and date differ from the entry's.
    var commandsExceptPage: [Command] { going + marking(owner?.actionEntry) }

    /// The commands that go to other entries.
    private var going: [Command] {
        let sequence = owner?.sequence
        func command(
            _ definition: CommandDefinition, _ go: @escaping @MainActor (any EntrySequence) -> Void
        ) -> Command {
            Command(definition, isEnabled: sequence != nil) { [weak sequence] in
                if let sequence { go(sequence) }
            }
        }
        return [
            command(EntryCommands.nextUnread) { $0.openUnread(1) },
            command(EntryCommands.previousUnread) { $0.openUnread(-1) },
            command(EntryCommands.previousEntry) { $0.openNeighbour(-1) },
            command(EntryCommands.nextEntry) { $0.openNeighbour(1) },
            feed(EntryCommands.nextFeed, 1), feed(EntryCommands.previousFeed, -1),
        ]
    }

    private func feed(_ definition: CommandDefinition, _ step: Int) -> Command {
        let sequence = owner?.sequence
        let isInEntry = sequence !== owner
        // In a preview, the same keys go through the rows beneath.
        let isPreview = isInEntry && owner?.navigationController == nil
        return Command(definition, isEnabled: !isPreview && sequence?.openFeed != nil) { [weak sequence] in
            sequence?.openFeed?(step, isInEntry)
        }
    }

    /// The commands that mark, save and delete.
    private func marking(_ entry: EntryRow?) -> [Command] {
        let hasEntry = entry != nil
        func toggling(
            _ mark: EntryMark, _ definition: CommandDefinition, set: DisplayText, remove: DisplayText
        ) -> Command {
            Command(definition, title: entry?[mark] == true ? remove : set, isEnabled: hasEntry) { toggle(mark) }
        }
        return [
            toggling(.read, EntryCommands.toggleRead, set: "Mark as read", remove: "Mark as unread"),
            toggling(.starred, EntryCommands.toggleStar, set: "Star", remove: "Remove star"),
            toggling(.later, EntryCommands.toggleLater, set: "Read later", remove: "Remove from read later"),
            Command(EntryCommands.deleteEntry, isEnabled: hasEntry) { [weak owner] in owner?.deleteEntries() },
            Command(EntryCommands.markAllRead, isEnabled: owner?.sequence?.wholeScope != nil) {
                [access, weak sequence = owner?.sequence] in
                if let scope = sequence?.wholeScope { access.markAllRead(in: scope) }
            },
            Command(EntryCommands.markMore, isEnabled: hasEntry && owner?.sequence?.wholeScope != nil) {
                askWhatToMark()
            },
            Command(EntryCommands.revealEntry, isEnabled: entry?.isSpoiler == true) { [access] in
                if let entry { access.changes.submit(.reveal(entry: entry.id)) }
            },
            Command(EntryCommands.tagEntry, isEnabled: hasEntry) { askForTags() },
            Command(RuleCommands.makeRule, isEnabled: hasEntry) { [services, access, weak owner] in
                guard let owner, let id = owner.actionEntry?.id,
                    let entry = access.read(nil, { try $0.entries.detail(of: id) })
                else { return }
                RuleMaker(
                    services: services.rules, presenter: owner,
                    userCommands: services.userCommands.map(\.definition.title)
                ).begin(with: entry)
            },
        ]
    }

    /// Asks which part of the list to mark as read, or whether to mark the whole folder of the entry's feed.
    private func askWhatToMark() {
        guard let owner, let entry = owner.actionEntry, let scope = owner.sequence?.wholeScope else { return }
        let offers = MarkOffer.offers(
            for: entry, in: access.settings.query(scope), now: access.clock(),
            feed: access.read(nil) { try $0.feeds.feed(entry.subscriptionID) })
        let choices = offers.map { offer in
            Choice(offer.title) {
                switch offer.target {
                case .part(let part): access.markAllRead(in: scope, part: part, reportsNone: false)
                case .scope(let whole): access.markAllRead(in: whole)
                }
            }
        }
        owner.present(CommandPaletteViewController(title: "Mark as read", choices: choices, hasField: false))
    }

    /// Asks for the tags of the selected entry. Added and removed tags apply to all marked entries.
    private func askForTags() {
        guard let owner, let chosen = owner.actionEntry else { return }
        let entries = owner.actionEntries.map(\.id)
        let before = access.read([]) { try $0.entries.tags(of: chosen.id) }
        let account = access.read(nil) { [access] in try $0.accounts.withoutTags(of: entries, now: access.clock()) }
        owner.present(
            TextPromptViewController(
                title: "Tags",
                message: account.map { DisplayText("Separate tags with spaces. \($0.tagWarning)") }
                    ?? "Separate tags with spaces; tag:word finds them",
                text: TagText.line(before)
            ) { [access, weak owner] text in
                access.changes.submit(EntryActions.tagChange(of: entries, from: before, to: TagText.tags(in: text)))
                owner?.didAct()
            })
    }

    /// Returns the change for edited tags.
    ///
    /// Several entries receive all typed tags, a single entry only the new ones. Tags that the selected entry had and
    /// that were removed from the text are removed.
    ///
    /// - Parameters:
    ///   - entries: The entries to tag.
    ///   - before: The tags of the selected entry.
    ///   - after: The typed tags.
    static func tagChange(of entries: [EntryID], from before: [String], to after: [String]) -> Change {
        .tagEntries(
            entries, adding: after.filter { entries.count > 1 || !before.contains($0) },
            removing: before.filter { !after.contains($0) })
    }

    /// The commands that show dates and use what the entry links to.
    private func opening(_ entry: EntryRow?) -> [Command] {
        // Each entry's links need a query, and most keys need none of these commands.
        let links: @MainActor () -> EntryLinks? = { [services] in entry.flatMap { services.links.links(of: $0.id) } }
        let hasLink: @MainActor () -> Bool = { links()?.address != nil }
        let media = { @MainActor in links().flatMap { EntryArticle.media(in: $0.extras).first } }
        let hasMedia: @MainActor () -> Bool = { media() != nil }
        return [
            Command(EntryCommands.publishDate, isEnabled: entry != nil) { [weak owner] in owner?.presentDates() },
            Command(EntryCommands.openInBrowser, isEnabledIf: hasLink) { [services, weak owner] in
                services.web.openLink(owner?.actionLink())
            },
            Command(EntryCommands.playMedia, isEnabledIf: hasMedia) { [services] in
                if let media = media() { services.enclosures.play(media.url, of: entry?.id) }
            },
            Command(DownloadCommands.downloadMedia, isEnabledIf: hasMedia) { [services] in
                guard let entry, let media = media() else { return }
                guard !media.isPlayerPage else {
                    services.access.status.show("The video is on a page that plays it; there is no file to download.")
                    return
                }
                services.enclosures.download(media.url, entry.title, of: entry.subscriptionID)
            },
            Command(EntryCommands.copyLink, isEnabledIf: hasLink) { [access, weak owner] in
                if let owner { access.status.copy(owner.actionLink(), from: owner) }
            },
            Command(EntryCommands.pipeEntry, isEnabled: entry != nil) { askForProgram() },
            Command(EntryCommands.copyMarkdown, isEnabledIf: hasLink) { [access, weak owner] in
                guard let owner, let title = owner.actionEntry?.title else { return }
                access.status.copy(owner.actionLink(), titled: title, from: owner)
            },
        ]
    }

    /// Asks for a command line and passes the entry, or each of the marked ones, to it.
    private func askForProgram() {
        owner?.present(
            TextPromptViewController(
                title: "Pipe to program", message: "A command for the shell, which receives the article as Markdown",
                text: services.lastPiped
            ) { [services] line in
                guard !line.allSatisfy(\.isWhitespace) else { return }
                services.lastPiped = line
                if let command = services.pipe(line) { run(command) }
            })
    }

    private func own(hasEntry: Bool) -> [Command] {
        services.userCommands.map { command in
            Command(command.definition, isEnabled: hasEntry) { run(command) }
        }
    }

    /// The maximum number of entries, and of bytes in their texts, that a program receives at once.
    private static let (maximumListed, maximumListedBytes) = (1_000, 16 << 20)

    /// Runs a user command for the selected entry, for each of the marked entries one after the other, or for the whole
    /// list.
    private func run(_ command: EntryCommand) {
        guard let owner, let chosen = owner.actionEntry else { return }
        if !command.steps.isEmpty { return carryOut(command) }
        let targets = command.acceptsList ? [list(of: owner)] : entries(of: owner, chosen, command)
        let title = command.definition.title
        access.status.show(title + " …")
        Task { [access, weak owner] in
            var output: [String] = []
            let markdown: @MainActor (EntryDetail) -> String = { entry in
                MarkdownWriter.write(
                    EntryArticle.make(entry, browserKey: ""), title: entry.title, source: entry.address)
            }
            for target in targets {
                switch await command.run(target, markdown) {
                case .done: break
                case .output(let text): output.append(text)
                case .failed(let reason): return access.status.show(failure: reason)
                }
            }
            if output.isEmpty {
                access.status.show(
                    targets.count == 1 ? title + " · done" : title + DisplayText(" · \(targets.count) done"))
            } else {
                access.status.show("")
                owner?.present(CommandOutputViewController(title, output.joined(separator: "\n"), access.settings))
            }
        }
        owner.didAct()
    }

    /// Performs the steps of a command in order, each where the previous one led, until a step is unavailable.
    private func carryOut(_ command: EntryCommand) {
        guard let window = owner?.window else { return }
        for step in command.steps {
            switch step {
            case .set(let name, let value): access.set(value, for: name)
            case .perform(let name):
                guard let offered = window.offeredCommands.first(where: { $0.name == name }), offered.isEnabled else {
                    return access.status.show(command.definition.title + DisplayText(": \(name) isn't available here"))
                }
                offered.perform()
            }
        }
    }

    private func entries(
        of owner: any EntryActing, _ chosen: EntryRow, _ command: EntryCommand
    ) -> [EntryCommand.Target] {
        let isForAll = command.definition.traits.contains(.actsOnMarkedRows)
        return (isForAll ? owner.actionEntries : [chosen]).compactMap { row in
            access.read(nil) { try $0.entries.detail(of: row.id) }.map { .entry($0) }
        }
    }

    private func list(of owner: any EntryActing) -> EntryCommand.Target {
        var entries: [EntryDetail] = []
        var bytes = 0
        for row in owner.listedEntries(maximum: EntryActions.maximumListed)
        where bytes <= EntryActions.maximumListedBytes {
            guard let entry = access.read(nil, { try $0.entries.detail(of: row.id) }) else { continue }
            bytes += (entry.ownHTML ?? entry.text ?? "").utf8.count
            entries.append(entry)
        }
        let list = owner.sequence as? any EntryListing ?? owner
        return .list(entries, title: list.title.string)
    }

    /// Sets a mark of all entries to the opposite of the selected entry's.
    private func toggle(_ mark: EntryMark) {
        guard let owner, let chosen = owner.actionEntry else { return }
        access.toggle(mark, of: chosen, in: owner.actionEntries.map(\.id))
        owner.didAct()
    }
}
