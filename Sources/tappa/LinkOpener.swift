import CSpawn
import Foundation

/// Opens links in the user's browser: started directly, the link as one argument, never through a shell.
enum LinkOpener {
    /// Opens an http or https link.
    ///
    /// - Returns: What is wrong, in plain words; `nil` when a browser was started.
    @MainActor
    static func open(_ link: String) -> String? {
        guard let url = URL(string: link), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            url.user == nil, url.host()?.isEmpty == false, link.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return "Only http and https links are opened." }
        guard let program = browser else { return "No browser was found; set BROWSER to one." }
        guard start(program, link) else { return "The browser \(program) could not be started." }
        return nil
    }

    /// Starts a program in a session of its own, without the terminal and without any open file of this process.
    private static func start(_ program: String, _ argument: String) -> Bool {
        let words = [strdup(program), strdup(argument), nil]
        defer { for word in words { free(word) } }
        var child: pid_t = 0
        return csp_start(words.map { UnsafePointer($0) }, nil, nil, nil, nil, true, &child) == 0
    }

    /// `$BROWSER`, else the desktop's.
    private static var browser: String? {
        let environment = ProcessInfo.processInfo.environment
        let named = environment["BROWSER"].map { $0.split(separator: ":").map(String.init) } ?? []
        let path = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        for name in named + ["xdg-open", "open"] {
            let candidates = name.hasPrefix("/") ? [name] : path.map { "\($0)/\(name)" }
            if let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) {
                return found
            }
        }
        return nil
    }
}
