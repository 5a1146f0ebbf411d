import CSpawn
import Fetching
import Foundation
import ModelCore
import Platform
import WebAddresses

/// Opens links in the user's browser, which is started directly with the link as one argument, never through a shell.
enum LinkOpener {
    struct Browser: Equatable {
        var call: ProgramCall
        var isInTerminal: Bool

        var name: String { call.name }

        init(_ call: ProgramCall, finalProgram: String?) {
            self.call = call
            isInTerminal = LinkOpener.inTerminal.contains(finalProgram ?? "")
        }
    }

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
        let found: Browser?
        do throws(ProgramRefusal) { found = try browser(setting: named, link: link, find: ChildProcess.find) } catch {
            return error.description
        }
        guard let browser = found else {
            let named = named == "BROWSER" ? ProcessInfo.processInfo.environment["BROWSER"] ?? "" : named
            return named.isEmpty
                ? "No browser found. Set BROWSER to one."
                : "Neither the browser '\(named)' nor another one was found."
        }
        if browser.isInTerminal {
            guard let code = handOver({ ChildProcess.runInTerminal(browser.call) }) else {
                return "\(browser.name) needs a terminal of its own."
            }
            return problem(browser, code)
        }
        guard let child = ChildProcess.start(browser.call, inNewSession: true) else {
            return "Can't start the browser \(browser.name)."
        }
        // The child is always awaited, so that no zombie remains. An exit after the timeout no longer counts.
        return await withTaskGroup(of: Int?.self) { group in
            let end = Task.detached { await ended(child) }
            group.addTask { await end.value }
            group.addTask {
                try? await Clock.sleep(for: patience)
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
    /// the environment's. Returns `nil` if none exists.
    static func browser(setting: String, link: String, find: (String) -> String?) throws(ProgramRefusal) -> Browser? {
        if setting == "BROWSER" {
            return try browser(ProcessInfo.processInfo.environment["BROWSER"] ?? "", link: link, find: find)
        }
        if let browser = try single(setting, "feeds.browser", link, find) { return browser }
        return try browser(setting, link: link, find: find)
    }

    /// Returns the first available browser: of those separated by colons in `BROWSER`, each with arguments and `%s` for
    /// the link (as xdg-open and Python's webbrowser interpret it), otherwise the desktop's.
    static func browser(_ named: String, link: String, find: (String) -> String?) throws(ProgramRefusal) -> Browser? {
        for command in named.split(separator: ":").map(String.init) + ["xdg-open", "open"] {
            if let browser = try single(command, "BROWSER", link, find) { return browser }
        }
        return nil
    }

    /// Returns a browser, or `nil` if the program doesn't exist.
    private static func single(
        _ command: String, _ source: String, _ link: String, _ find: (String) -> String?
    ) throws(ProgramRefusal) -> Browser? {
        // A program that doesn't exist can do no harm.
        guard let name = CommandWords.split(command).first, find(name) != nil else { return nil }
        do throws(CommandTemplate.Problem) {
            let template = try ProgramSetting.browser.template(of: command)
            return ProgramCall(template, ["link": link], find: find).map {
                Browser($0, finalProgram: template.finalProgram)
            }
        } catch {
            throw ProgramRefusal(description: "\(source): \(error.sentence()).")
        }
    }
}
