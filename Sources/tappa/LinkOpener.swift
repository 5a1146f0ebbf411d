import CSpawn
import Fetching
import Foundation

/// Opens links in the user's browser: started directly, the link as one argument, never through a shell.
enum LinkOpener {
    /// A browser's command line.
    struct Browser: Equatable {
        /// The program's path and its arguments, with the link in its place.
        var words: [String]
        /// Whether it shows its pages in the terminal, and so needs it.
        var isInTerminal: Bool

        var name: String { URL(fileURLWithPath: words[0]).lastPathComponent }

        init(_ words: [String]) {
            self.words = words
            isInTerminal = LinkOpener.inTerminal.contains(URL(fileURLWithPath: words[0]).lastPathComponent)
        }
    }

    /// Browsers that show pages in the terminal.
    private static let inTerminal: Set<String> = [
        "w3m", "lynx", "links", "links2", "elinks", "edbrowse", "browsh", "carbonyl", "chawan", "cha", "www-browser",
    ]
    /// How long a browser has to say by its end that it has failed.
    static let patience = Duration.seconds(5)

    /// Opens a link of one of the schemes that ``isOpened(_:)`` takes.
    ///
    /// - Parameters:
    ///   - named: The browser of the settings; `BROWSER` takes that of the environment.
    ///   - handOver: Gives the terminal to somebody for as long as the work takes.
    /// - Returns: What is wrong, in plain words; `nil` when it was opened.
    @MainActor
    static func open(
        _ link: String, with named: String = "BROWSER", patience: Duration = patience,
        handOver: @MainActor (() -> Int) -> Int?
    ) async -> String? {
        guard isOpened(link) else { return "Only http, https, mailto and gemini links can be opened." }
        guard let browser = browser(setting: named, link: link, find: ChildProcess.find) else {
            let named = named == "BROWSER" ? ProcessInfo.processInfo.environment["BROWSER"] ?? "" : named
            return named.isEmpty
                ? "No browser found. Set BROWSER to one."
                : "Neither the browser '\(named)' nor another one was found."
        }
        if browser.isInTerminal {
            guard let code = handOver({ ChildProcess.runInTerminal(browser.words) }) else {
                return "\(browser.name) needs a terminal of its own."
            }
            return problem(browser, code)
        }
        guard let child = ChildProcess.start(browser.words, inNewSession: true) else {
            return "Can't start the browser \(browser.name)."
        }
        // It is waited for to its end, so that nothing is left of it; what it says later is not for this link any more.
        return await withTaskGroup(of: Int?.self) { group in
            let end = Task.detached { await ended(child) }
            group.addTask { await end.value }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first.flatMap { problem(browser, $0) }
        }
    }

    /// Waits on a thread of its own, since a browser may run for days.
    private static func ended(_ child: pid_t) async -> Int {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: ChildProcess.wait(for: child)) }
        }
    }

    private static func problem(_ browser: Browser, _ code: Int) -> String? {
        ChildProcess.problem(of: "The browser \(browser.name)", code, consequence: "; nothing was opened")
    }

    /// Whether a link is one that is opened: of the web, of Gemini, or an address to write to; without a user's name, blanks,
    /// controls and signs beyond ASCII.
    static func isOpened(_ link: String) -> Bool {
        guard link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), let url = URL(string: link) else { return false }
        switch url.scheme?.lowercased() {
        case "http", "https", "gemini": return url.user == nil && url.host()?.isEmpty == false
        // A program's options begin with a hyphen, and some take files to send along.
        case "mailto":
            let rest = link.dropFirst("mailto:".count).lowercased()
            return rest.contains("@") && !rest.hasPrefix("-") && !rest.contains("attach")
        default: return false
        }
    }

    /// The browser of the settings: one program with its arguments, which may have colons; `BROWSER` takes that of the environment.
    static func browser(setting: String, link: String, find: (String) -> String?) -> Browser? {
        if setting == "BROWSER" {
            return browser(ProcessInfo.processInfo.environment["BROWSER"] ?? "", link: link, find: find)
        }
        if let words = commandLine(setting, address: link, find: find) { return Browser(words) }
        return browser(setting, link: link, find: find)
    }

    /// The first browser that there is: of those between colons in `BROWSER`, each a program with its arguments, `%s` standing
    /// for the link (as xdg-open and Python's webbrowser read it), else the desktop's.
    static func browser(_ named: String, link: String, find: (String) -> String?) -> Browser? {
        for command in named.split(separator: ":").map(String.init) + ["xdg-open", "open"] {
            if let words = commandLine(command, address: link, find: find) { return Browser(words) }
        }
        return nil
    }

    /// A program's path with its arguments, an address in the place of `%s`, else behind them; `nil` where there is no such
    /// program.
    static func commandLine(_ command: String, address: String, find: (String) -> String?) -> [String]? {
        let words = CommandWords.split(command)
        guard let first = words.first, let program = first.hasPrefix("/") ? executable(first) : find(first) else {
            return nil
        }
        var arguments = words.dropFirst().map { word in
            CommandWords.filled(word) { word in
                // What an address has in percent signs stays as it is.
                word.split(separator: "%s", omittingEmptySubsequences: false).map { $0.replacing("%%", with: "%") }
                    .joined(separator: address)
            }
        }
        if !words.dropFirst().contains(where: { $0.contains("%s") }) {
            arguments.append(CommandWords.argument(address))
        }
        return [program] + arguments
    }

    private static func executable(_ path: String) -> String? {
        FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }
}
