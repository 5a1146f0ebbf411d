import Fetching
import Foundation

/// Plays recordings in the user's player: started directly, the address as one argument, never through a shell. It has the
/// pane until it ends, so that its keys are its own.
enum MediaPlayer {
    /// Plays the recording at an address.
    ///
    /// - Parameter handOver: Gives the terminal to somebody for as long as the work takes.
    /// - Returns: What is wrong, in plain words; `nil` when it was played.
    @MainActor
    static func play(
        _ address: String, with player: String, handOver: @MainActor (() -> Int) -> Int?,
        find: (String) -> String? = ChildProcess.find
    ) -> String? {
        let isFile = address.hasPrefix("/") && FileManager.default.fileExists(atPath: address)
        let isOfTheWeb = address.hasPrefix("http://") || address.hasPrefix("https://")
        guard isFile || isOfTheWeb && LinkOpener.isOpened(address) else {
            return "Only recordings at http and https addresses are played."
        }
        let name = CommandWords.split(player).first ?? player
        guard let words = words(player, address: address, find: find) else {
            return "There is no player '\(name)'; the setting recordings.player names another."
        }
        guard let code = handOver({ ChildProcess.runInTerminal(words) }) else {
            return "\(name) needs a terminal of its own."
        }
        return code == stoppedByUser ? nil : ChildProcess.problem(of: name, code)
    }

    /// What mpv ends with when its user stops it.
    private static let stoppedByUser = 4

    /// The command line. Mpv goes on where it was left, as it can keep that by itself.
    static func words(_ player: String, address: String, find: (String) -> String?) -> [String]? {
        guard var words = LinkOpener.commandLine(player, address: address, find: find) else { return nil }
        if URL(fileURLWithPath: words[0]).lastPathComponent == "mpv" { words.insert("--save-position-on-quit", at: 1) }
        return words
    }
}
