import Dashboard
import DashboardFrame
import Foundation
import LibraryKernel

/// Stores the state of the dashboard in a file for each terminal pane.
///
/// In tmux a pane is identified by session, window and index, so that a restored session shows its previous screens.
/// Elsewhere the terminal device identifies it. Concurrent programs have their own files.
struct ScreenState {
    /// tmux's process, and the descriptor of a deleted file for its answer, so that no file remains.
    private let query: (child: pid_t, answer: Int32)?

    /// Starts identifying the pane; tmux is queried while the library is opened.
    init() {
        let environment = ProcessInfo.processInfo.environment
        guard environment["TMUX"] != nil, let pane = environment["TMUX_PANE"], let tmux = ChildProcess.find("tmux")
        else {
            query = nil
            return
        }
        PrivateFile.makeFolder(
            URL(fileURLWithPath: FileLocations.screens).deletingLastPathComponent().path, isOwn: true)
        PrivateFile.makeFolder(FileLocations.screens, isOwn: true)
        let name = FileLocations.screens + "/.pane-\(getpid())"
        let answer = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let format = "#{session_name} #{window_index} #{pane_index}"
        let child = ChildProcess.start([tmux, "display-message", "-p", "-t", pane, format], output: name)
        query = child.map { ($0, answer) }
        unlink(name)
        ScreenState.removeStrays(in: FileLocations.screens)
    }

    /// Deletes temporary files of killed programs, except recent ones that may be in use.
    static func removeStrays(in folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name.hasPrefix(".pane-") || name.hasPrefix(".dat.nosync") || name.contains(".part-") {
            let file = folder + "/" + name
            var status = stat()
            if stat(file, &status) == 0, status.st_mtim.tv_sec < Instant.now.seconds - 60 { unlink(file) }
        }
    }

    /// Returns the file of this pane, or `nil` if the pane can't be identified.
    func file() -> URL? {
        var name: String?
        if let (child, answer) = query {
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

    /// Returns the file name for a pane or device. Characters other than letters and digits become hyphens.
    static func fileName(_ pane: String) -> String {
        let safe = pane.unicodeScalars.map { $0.properties.isAlphabetic || ("0"..."9").contains($0) ? String($0) : "-" }
        return safe.joined() + ".json"
    }

    /// Reads a state, and quarantines an unreadable file.
    static func read(_ file: URL) -> DashboardState? {
        guard let data = PrivateFile.contents(file.path) else { return nil }
        if let state = try? JSONDecoder().decode(DashboardState.self, from: data) { return state }
        let aside = file.deletingPathExtension().appendingPathExtension("unreadable")
        try? FileManager.default.removeItem(at: aside)
        try? FileManager.default.moveItem(at: file, to: aside)
        return nil
    }

    /// Writes a state atomically.
    static func write(_ state: DashboardState, to file: URL) {
        PrivateFile.makeFolder(file.deletingLastPathComponent().path, isOwn: true)
        guard let data = try? JSONEncoder().encode(state) else { return }
        PrivateFile.replace(file.path, with: data)
    }
}
