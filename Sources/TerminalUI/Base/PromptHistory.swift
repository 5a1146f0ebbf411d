/// What the user has entered in prompts of one kind, for the time that a window exists.
@MainActor
public final class PromptHistory {
    /// The texts, oldest first.
    public private(set) var texts: [String] = []
    private static let maximum = 100

    /// Creates an empty history.
    public init() {}

    /// Adds a text as the newest one.
    public func add(_ text: String) {
        guard !text.isEmpty else { return }
        texts.removeAll { $0 == text }
        texts.append(text, keepingLast: PromptHistory.maximum)
    }
}

/// A position in a history, from which the keys of a prompt go back and forth.
@MainActor
struct PromptHistoryWalk {
    private let texts: [String]
    /// The index of the shown text; the number of texts stands for what the user has typed.
    private var index: Int
    /// What the user had typed.
    private var typed = ""

    init(_ history: PromptHistory) {
        texts = history.texts
        index = texts.count
    }

    /// Returns the nearest older or newer text that contains a word, or what was typed after the newest one; `nil` if
    /// there is none.
    mutating func step(_ step: Int, from current: String, containing word: String = "") -> String? {
        if index == texts.count { typed = current }
        let word = word.lowercased()
        var next = index + step
        while texts.indices.contains(next), !word.isEmpty, !texts[next].lowercased().contains(word) { next += step }
        guard next >= 0 else { return nil }
        if next >= texts.count {
            guard step > 0, index < texts.count else { return nil }
            index = texts.count
            return typed
        }
        index = next
        return texts[next]
    }
}
