import Feeds
import Fetching
import Foundation
import LibraryKernel
import ModelCore
import WebAddresses

/// Plays enclosures in the user's player. It is started directly with the address as one argument that no shell
/// reads, and has the pane until it quits.
enum MediaPlayer {
    /// Plays the enclosure at an address.
    ///
    /// - Parameters:
    ///   - start: The position in seconds, if the player supports it.
    ///   - handOver: Hands over the terminal while the work runs.
    ///   - keep: Receives the positions that the player reports, on any thread.
    /// - Returns: An error message, or `nil` on success.
    @MainActor
    static func play(
        _ address: String, with player: String, from start: Int = 0, handOver: @MainActor (() -> Int) -> Int?,
        find: (String) -> String? = ChildProcess.find, keep: @escaping @Sendable (PlayedEnclosure) -> Void = { _ in }
    ) -> String? {
        let isFile = address.hasPrefix("/") && FileManager.default.fileExists(atPath: address)
        guard isFile || WebAddress.isWeb(address) && LinkOpener.isOpened(address) else {
            return "Only http and https addresses can be played."
        }
        let name = CommandWords.split(player).first ?? player
        let template: CommandTemplate
        do throws(CommandTemplate.Problem) { template = try ProgramSetting.player.template(of: player) } catch {
            return "audio.player: \(error.sentence())."
        }
        guard var call = ProgramCall(template, ["link": address], find: find) else {
            return "No such player: '\(name)'. Change the setting audio.player."
        }
        let position = call.name == "mpv" ? PlayerPosition() : nil
        if let position {
            call.words.insert(contentsOf: [position.argument] + (start > 0 ? ["--start=\(start)"] : []), at: 1)
            position.listen(keep)
        }
        let code = handOver { ChildProcess.runInTerminal(call) }
        if let played = position?.finish() { keep(played) }
        guard let code else { return "\(name) needs a terminal of its own." }
        return code == stoppedByUser ? nil : ChildProcess.problem(of: name, code)
    }

    /// mpv's exit code when its user quits.
    private static let stoppedByUser = 4
}
