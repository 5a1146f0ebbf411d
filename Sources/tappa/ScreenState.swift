import Dashboard
import Foundation
import ModelCore

/// Keeps what the dashboard showed, a file for each terminal pane in the state directory.
///
/// In tmux a pane is known by its place (session, window, pane), so that a session that is restored with other processes
/// shows the screens it had; elsewhere the terminal's device stands for it. Several programs beside each other have
/// files of their own.
struct ScreenState {
    private let child: pid_t?
    /// Where tmux writes its answer: a file that has no name any more, so that none is left whatever happens.
    private let answer: Int32

    /// Begins to find out which pane this is: tmux is asked while the library is opened.
    init() {
        let environment = ProcessInfo.processInfo.environment
        guard environment["TMUX"] != nil, let pane = environment["TMUX_PANE"], let tmux = ChildProcess.find("tmux")
        else {
            child = nil
            answer = -1
            return
        }
        PrivateFile.makeFolder(
            URL(fileURLWithPath: FileLocations.screens).deletingLastPathComponent().path, isOwn: true)
        PrivateFile.makeFolder(FileLocations.screens, isOwn: true)
        let name = FileLocations.screens + "/.pane-\(getpid())"
        answer = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let format = "#{session_name} #{window_index} #{pane_index}"
        child = ChildProcess.start([tmux, "display-message", "-p", "-t", pane, format], output: name)
        unlink(name)
        ScreenState.removeStrays(in: FileLocations.screens)
    }

    /// What programs have left when they were killed; what is younger than a minute may be one's that is at work.
    static func removeStrays(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(".pane-") || name.hasPrefix(".dat.nosync") || name.contains(".part-") {
            let file = folder + "/" + name
            var status = stat()
            if stat(file, &status) == 0, status.st_mtim.tv_sec < time(nil) - 60 { unlink(file) }
        }
    }

    /// The file of this pane; `nil` when it cannot be told which that is.
    func file() -> URL? {
        var name: String?
        if let child {
            defer { close(answer) }
            var buffer = [UInt8](repeating: 0, count: 4096)
            if ChildProcess.wait(for: child) == 0 {
                let count = pread(answer, &buffer, buffer.count, 0)
                if count > 0 { name = "tmux-" + String(decoding: buffer[..<count], as: UTF8.self) }
            }
        } else if let device = ttyname(STDIN_FILENO) {
            name = String(cString: device)
        }
        return name.map { URL(fileURLWithPath: FileLocations.screens).appendingPathComponent(ScreenState.fileName($0)) }
    }

    /// The file of a pane or of a terminal's device: letters and digits stay, a hyphen stands for each other character.
    static func fileName(_ pane: String) -> String {
        let safe = pane.unicodeScalars.map { $0.properties.isAlphabetic || ("0"..."9").contains($0) ? String($0) : "-" }
        return safe.joined() + ".json"
    }

    /// Reads a state; one that cannot be read is set aside.
    static func read(_ file: URL) -> DashboardState? {
        guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
        if let state = try? JSONDecoder().decode(DashboardState.self, from: data) { return state }
        let aside = file.deletingPathExtension().appendingPathExtension("unreadable")
        try? FileManager.default.removeItem(at: aside)
        try? FileManager.default.moveItem(at: file, to: aside)
        return nil
    }

    /// Writes a state, whole or not at all.
    static func write(_ state: DashboardState, to file: URL) {
        PrivateFile.makeFolder(file.deletingLastPathComponent().path, isOwn: true)
        guard let data = try? JSONEncoder().encode(state) else { return }
        PrivateFile.replace(file.path, with: data)
    }
}
