import Foundation
import Platform
import TerminalUI

/// Notifies controllers when the system is short of memory, so that they release what can be created again.
///
/// Linux reports in `/proc/pressure/memory` for what share of the last ten seconds tasks waited for memory. If the file
/// can't be read, nothing happens.
enum MemoryPressure {
    private static let file = "/proc/pressure/memory"
    /// The share in per cent from which memory counts as short.
    private static let limit = 10.0

    /// Checks twice a minute while the window exists.
    @MainActor
    static func watch(for window: Window) -> Task<Void, Never>? {
        guard FileManager.default.isReadableFile(atPath: file) else { return nil }
        return Task { [weak window] in
            while !Task.isCancelled {
                try? await Clock.sleep(for: .seconds(30))
                guard !Task.isCancelled, let window else { return }
                let text = FileReading.bytes(file, maximum: 4096).map { String(decoding: $0, as: UTF8.self) }
                if let text, isShort(text) { window.receiveMemoryWarning() }
            }
        }
    }

    /// Whether the value of `avg10=` in the first line exceeds the limit.
    static func isShort(_ text: String) -> Bool {
        let fields = text.split(separator: "\n").first?.split(separator: " ") ?? []
        let share = fields.first { $0.hasPrefix("avg10=") }.flatMap { Double($0.dropFirst(6)) }
        return share.map { $0 >= limit } ?? false
    }
}
