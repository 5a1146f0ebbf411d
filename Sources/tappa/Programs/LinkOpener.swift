import CSpawn
import Fetching
import Foundation
import WebAddresses

/// Opens links in the user's browser, which is started directly with the link as one argument, never through a shell.
enum LinkOpener {
    /// The command line of a browser.
    struct Browser: Equatable {
        /// The program's path and its arguments, including the link.
        var words: [String]
        /// Whether it runs in the terminal.
        var isInTerminal: Bool

        var name: String { URL(fileURLWithPath: words[0]).lastPathComponent }

        init(_ words: [String]) {
            self.words = words
            isInTerminal = LinkOpener.inTerminal.contains(URL(fileURLWithPath: words[0]).lastPathComponent)
        }
    }

    /// The browsers that run in the terminal.
    private static let inTerminal: Set<String> = [
        "w3m", "lynx", "links", "links2", "elinks", "edbrowse", "browsh", "carbonyl", "chawan", "cha", "www-browser",
    ]
    /// The time in which a browser's exit code counts as a failure.
    static let patience = Duration.seconds(5)

    /// Opens a link that ``isOpened(_:)`` accepts.
    ///
    /// - Parameters:
    ///   - named: The browser in the settings; `BROWSER` uses the environment's.
    ///   - handOver: Hands over the terminal while the work runs.
    /// - Returns: An error message, or `nil` on success.
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
        // The child is always awaited, so that no zombie remains. An exit after the timeout no longer counts.
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

    /// Waits on a background thread, because a browser may run for days.
    private static func ended(_ child: pid_t) async -> Int {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: ChildProcess.wait(for: child)) }
        }
    }

    private static func problem(_ browser: Browser, _ code: Int) -> String? {
        ChildProcess.problem(of: "The browser \(browser.name)", code, consequence: "; nothing was opened")
    }

    /// Whether a link may be opened: a web, Gemini or mail address without credentials, spaces, controls and non-ASCII
    /// characters.
    static func isOpened(_ link: String) -> Bool {
        guard link.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
        switch WebAddress.scheme(of: link) {
        case "http", "https", "gemini":
            guard let written = WrittenAddress(link), written.isClear else { return false }
            return written.user == nil && WebAddress(link) != nil
        // An address must not be an option, and some mail programs attach files on request.
        case "mailto":
            let rest = link.dropFirst("mailto:".count).lowercased()
            return rest.contains("@") && !rest.hasPrefix("-") && !rest.contains("attach")
        default: return false
        }
    }

    /// Returns the browser in the settings, which is one program with arguments that may contain colons; `BROWSER` uses
    /// the environment's.
    static func browser(setting: String, link: String, find: (String) -> String?) -> Browser? {
        if setting == "BROWSER" {
            return browser(ProcessInfo.processInfo.environment["BROWSER"] ?? "", link: link, find: find)
        }
        if let words = commandLine(setting, address: link, find: find) { return Browser(words) }
        return browser(setting, link: link, find: find)
    }

    /// Returns the first available browser: of those separated by colons in `BROWSER`, each with arguments and `%s` for
    /// the link (as xdg-open and Python's webbrowser interpret it), otherwise the desktop's.
    static func browser(_ named: String, link: String, find: (String) -> String?) -> Browser? {
        for command in named.split(separator: ":").map(String.init) + ["xdg-open", "open"] {
            if let words = commandLine(command, address: link, find: find) { return Browser(words) }
        }
        return nil
    }

    /// Returns a command line with the address in place of `%s` or at the end, or `nil` if the program doesn't exist.
    static func commandLine(_ command: String, address: String, find: (String) -> String?) -> [String]? {
        let words = CommandWords.split(command)
        guard let first = words.first, let program = first.hasPrefix("/") ? executable(first) : find(first) else {
            return nil
        }
        var arguments = words.dropFirst().map { word in
            CommandWords.filled(word) { word in
                // Percent signs in the address stay as they are.
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
