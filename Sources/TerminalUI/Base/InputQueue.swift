/// Orders input behind navigation: keys and pastes wait until the screen that they are meant for can accept them.
///
/// A key may show a screen whose content is still being read (``ViewController/awaitsContent``). Whatever is typed
/// right behind it is meant for that content, so it waits, in its order, for ``patience`` at most. Keys that need no
/// content, such as those that lead away from the screen, wait only behind other input.
@MainActor
final class InputQueue {
    /// The maximum time that input waits, and that a screen is waited for.
    static let patience = Duration.seconds(1)

    /// Returns whether a screen is on its way that a key has asked for.
    var awaitsScreen: () -> Bool = { false }
    private let window: Window
    private var waiting: ArraySlice<(event: InputEvent, arrival: ContinuousClock.Instant)> = []
    /// What is awaited, and since when.
    private weak var awaited: Responder?
    private var awaitedSince: ContinuousClock.Instant?
    private var isDelivering = false

    init(of window: Window) { self.window = window }

    var isEmpty: Bool { waiting.isEmpty }

    func add(_ event: InputEvent) { waiting.append((event, window.now())) }

    /// Hands input to the window in its order, as far as the window's screens can accept it.
    ///
    /// Characters that arrive together go into a text field together. A paste without brackets consists of keys, and
    /// each change of a field takes as long as its text.
    ///
    /// - Parameter isOver: Returns whether the program has ended, so that nothing accepts input any more.
    /// - Returns: Whether any input was handed over.
    @discardableResult
    func deliver(until isOver: () -> Bool) -> Bool {
        // A command may draw, such as one that hands the terminal over.
        guard !isDelivering else { return false }
        isDelivering = true
        defer { isDelivering = false }
        let count = waiting.count
        while let next = waiting.first, !isOver() {
            window.layoutIfNeeded()
            guard canPass(next.event, arrival: next.arrival) else { break }
            let typed = window.keys.canType ? waiting.prefix { $0.event.typedCharacter != nil } : []
            if typed.count > 1, window.keys.insert(typed: typed.compactMap(\.event.typedCharacter)) {
                waiting = waiting.dropFirst(typed.count)
                continue
            }
            waiting.removeFirst()
            switch next.event {
            case .key(let press): window.send(press)
            case .mouse(let event): window.send(event)
            case .paste(let text): window.send(paste: text)
            default: break
            }
        }
        // The time of a screen begins when it is asked for, not with the first key for it.
        noteAwaited(at: window.now())
        return waiting.count < count
    }

    private func canPass(_ event: InputEvent, arrival: ContinuousClock.Instant) -> Bool {
        let now = window.now()
        noteAwaited(at: now)
        guard let awaited, let awaitedSince else { return true }
        if min(awaitedSince, arrival).duration(to: now) >= InputQueue.patience { return true }
        switch event {
        // A field that accepts text needs nothing else.
        case .key where awaited === window && window.keys.canType && event.typedCharacter != nil: return true
        case .key(let press): return window.keys.needsNoContent(press)
        // A click is meant for what is on the screen.
        case .mouse: return true
        default: return false
        }
    }

    /// The controller around the focus whose content keys wait for, the window if they wait for another screen, or
    /// `nil`.
    private var nowAwaited: Responder? {
        awaitsScreen() ? window : window.focusedController.selfAndParents.first(where: \.awaitsContent)
    }

    private func noteAwaited(at now: ContinuousClock.Instant) {
        let present = nowAwaited
        guard present !== awaited || awaitedSince == nil else { return }
        awaited = present
        awaitedSince = now
    }
}

extension KeyPress {
    /// The value of a digit without modifiers.
    var digit: Int? {
        guard modifiers.isEmpty, case .character(let character) = key, character.isASCII else { return nil }
        return character.wholeNumberValue
    }
}

extension InputEvent {
    /// Whether a window's views handle the event, in the order of input.
    var isInput: Bool {
        switch self {
        case .key, .mouse, .paste: true
        default: false
        }
    }

    /// The character of a key press without Ctrl and Alt.
    var typedCharacter: Character? {
        guard case .key(let press) = self, case .character(let character) = press.key,
            press.modifiers.isSubset(of: .shift)
        else { return nil }
        return character
    }
}
