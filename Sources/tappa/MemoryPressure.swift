import Foundation
import TerminalUI

/// Tells the controllers when the system is short of memory, so that they let go what can be made again.
///
/// Linux says in `/proc/pressure/memory` for which share of the last ten seconds something had to wait for memory; where that
/// cannot be read nothing is told.
enum MemoryPressure {
    private static let file = "/proc/pressure/memory"
    /// The share, in percent, from which on memory is short.
    private static let limit = 10.0

    /// Looks twice a minute while the window lives.
    @MainActor
    static func watch(for window: Window) -> Task<Void, Never>? {
        guard FileManager.default.isReadableFile(atPath: file) else { return nil }
        return Task { [weak window] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(30))
                guard !Task.isCancelled, let window else { return }
                let text = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
                if let text, isShort(text) { window.receiveMemoryWarning() }
            }
        }
    }

    /// Whether the number after `avg10=` in the first line is one at which memory is short.
    static func isShort(_ text: String) -> Bool {
        let fields = text.split(separator: "\n").first?.split(separator: " ") ?? []
        let share = fields.first { $0.hasPrefix("avg10=") }.flatMap { Double($0.dropFirst(6)) }
        return share.map { $0 >= limit } ?? false
    }
}
