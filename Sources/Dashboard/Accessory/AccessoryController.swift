import DashboardFrame
import ModelCore
import TerminalUI

/// The line above all segments. It shows the most important of what is current; what the user has put away stays away
/// until it changes.
@MainActor
final class AccessoryController {
    let view = AccessoryLine()
    private var items: [Subject: Item] = [:]
    private var dismissed: [Subject: String] = [:]
    private let isWanted: () -> Bool
    /// Called when another subject is shown, or none.
    var didChange: (Subject?) -> Void = { _ in }

    /// What the line can be about, most important first.
    enum Subject: Int, CaseIterable {
        /// A stage that is being ridden.
        case race
        /// What a player of any dashboard plays.
        case played
        /// A reload or sync that takes long.
        case work
        /// An account whose password is no longer accepted.
        case account
    }

    struct Item {
        var content: AccessoryLine.Content
        /// What has changed when another item follows that isn't the same any more.
        var identity: String
        var open: @MainActor () -> Void
    }

    /// - Parameter isWanted: Returns whether the user wants the line.
    init(isWanted: @escaping () -> Bool) {
        self.isWanted = isWanted
        view.onOpen = { [weak self] in self?.open() }
        view.onDismiss = { [weak self] in self?.dismiss() }
    }

    func show(_ item: Item?, about subject: Subject) {
        items[subject] = item
        if item == nil { dismissed[subject] = nil }
        update()
    }

    /// The most important subject that isn't put away.
    private(set) var shown: Subject?

    func update() {
        let before = shown
        shown =
            !isWanted()
            ? nil
            : Subject.allCases.first { subject in
                items[subject].map { $0.identity != dismissed[subject] } ?? false
            }
        view.content = shown.flatMap { items[$0]?.content }
        if shown != before { didChange(shown) }
    }

    private func open() {
        if let shown { items[shown]?.open() }
    }

    private func dismiss() {
        guard let shown else { return }
        dismissed[shown] = items[shown]?.identity
        update()
    }

    var commands: [Command] {
        [
            Command(PlaceCommands.openAccessory, isEnabled: shown != nil) { [weak self] in self?.open() },
            Command(PlaceCommands.dismissAccessory, isEnabled: shown != nil) { [weak self] in self?.dismiss() },
        ]
    }
}
