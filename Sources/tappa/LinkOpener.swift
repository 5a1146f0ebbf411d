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
        guard ChildProcess.start([program, link], inNewSession: true) != nil else {
            return "The browser \(program) could not be started."
        }
        return nil
    }

    /// `$BROWSER`, else the desktop's.
    private static var browser: String? {
        let named = ProcessInfo.processInfo.environment["BROWSER"]?.split(separator: ":").map(String.init) ?? []
        for name in named + ["xdg-open", "open"] {
            let found = name.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: name) ? name : nil
            if let program = found ?? ChildProcess.find(name) { return program }
        }
        return nil
    }
}
