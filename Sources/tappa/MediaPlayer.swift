import Fetching
import Foundation
import ModelCore

/// Plays recordings in the user's player: started directly, the address as one argument, never through a shell. It has the
/// pane until it ends, so that its keys are its own.
enum MediaPlayer {
    /// Plays the recording at an address.
    ///
    /// - Parameters:
    ///   - start: The second that it begins with, where the player can be told.
    ///   - handOver: Gives the terminal to somebody for as long as the work takes.
    ///   - keep: Is told how far it was played where the player tells it, now and then and at its end; on any thread.
    /// - Returns: What is wrong, in plain words; `nil` when it was played.
    @MainActor
    static func play(
        _ address: String, with player: String, from start: Int = 0, handOver: @MainActor (() -> Int) -> Int?,
        find: (String) -> String? = ChildProcess.find, keep: @escaping @Sendable (PlayedEnclosure) -> Void = { _ in }
    ) -> String? {
        let isFile = address.hasPrefix("/") && FileManager.default.fileExists(atPath: address)
        let isOfTheWeb = address.hasPrefix("http://") || address.hasPrefix("https://")
        guard isFile || isOfTheWeb && LinkOpener.isOpened(address) else {
            return "Only http and https addresses can be played."
        }
        let name = CommandWords.split(player).first ?? player
        guard var words = LinkOpener.commandLine(player, address: address, find: find) else {
            return "No such player: '\(name)'. Change the setting recordings.player."
        }
        let position = URL(fileURLWithPath: words[0]).lastPathComponent == "mpv" ? PlayerPosition() : nil
        if let position {
            words.insert(contentsOf: [position.argument] + (start > 0 ? ["--start=\(start)"] : []), at: 1)
            position.listen(keep)
        }
        let code = handOver { ChildProcess.runInTerminal(words) }
        if let played = position?.finish() { keep(played) }
        guard let code else { return "\(name) needs a terminal of its own." }
        return code == stoppedByUser ? nil : ChildProcess.problem(of: name, code)
    }

    /// What mpv ends with when its user stops it.
    private static let stoppedByUser = 4
}
