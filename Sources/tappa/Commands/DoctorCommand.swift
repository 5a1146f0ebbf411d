import ArgumentParser
import Configuration
import Fetching
import Foundation
import LibraryKernel
import ModelCore
import Races
import TerminalText

/// Checks library, configuration, files, terminal and programs, and prints the results.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check library, configuration, files, terminal and programs.",
        discussion: "Prints a line for each check. Problems begin with '!' and make the exit code 65. Changes nothing.")

    @Option(
        name: .customLong("report"),
        help: ArgumentHelp(
            "Also write a report for the maintainers: the checks, versions and settings, without addresses and secrets.",
            valueName: "file"))
    var reportPath: String?

    @OptionGroup var options: LibraryOptions

    /// The results, a line each, with whether the check passed.
    private struct Report {
        var hasFaults = false
        var lines: [String] = []

        mutating func tell(_ subject: String, _ words: String, isRight: Bool = true) {
            hasFaults = hasFaults || !isRight
            let fields = [isRight ? "ok" : "!", subject, words]
            lines.append(fields.map(Sanitizer.sanitize).joined(separator: "\t"))
            printFields(fields)
        }

        /// Reports something that is missing and isn't needed by everybody.
        func tell(_ subject: String, missing words: String) { printFields(["-", subject, words]) }
    }

    func run() throws {
        var report = Report()
        let file = try options.configurationFile()
        let library = try library(file, &report)
        look(at: file, &report)
        checkPermissions(library, &report)
        checkTerminal(&report)
        let settings = try options.settings(library, file: file)
        try checkPrograms(settings, file, &report)
        checkNetwork(settings, &report)
        if let reportPath { try write(report, settings, to: reportPath) }
        if report.hasFaults { throw ExitStatus.badData }
    }

    /// Writes what a maintainer asks for. The user's folder appears as `~`, and values that the user wrote are left out.
    private func write(_ report: Report, _ settings: Settings, to path: String) throws {
        let changed = Settings.definitions.compactMap { definition -> String? in
            let value = settings[definition.name]
            switch definition.kind {
            case _ where value.value == definition.defaultValue: return nil
            case .choice, .toggle, .number, .hours: return "\(definition.name) = \(value.value)"
            case .named, .text, .program, .places: return "\(definition.name) is changed"
            }
        }
        let text = (LibraryVersions.all + [system, ""] + report.lines + [""] + changed).joined(separator: "\n") + "\n"
        let home = UserFile.expanded("~")
        do throws(UserFile.Problem) {
            try UserFile.write(Data((home == "/" ? text : text.replacing(home, with: "~")).utf8), to: path)
        } catch {
            throw fail("\(error)", error.exitCode)
        }
        printLine("Wrote \(path). Read it before you share it.")
    }

    /// The names of the system and its kernel.
    private var system: String {
        let release = (try? UserFile.read("/etc/os-release")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let name = release.split(separator: "\n").first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12)
            .trimmingCharacters(in: ["\""])
        let kernel = ChildProcess.output(of: ["uname", "-srm"])?.split(separator: "\n").first.map(String.init)
        return [name, kernel].compactMap { $0 }.map(Sanitizer.sanitize).joined(separator: ", ")
    }

    /// Opens an existing library. It creates none, and leaves a damaged one in place.
    ///
    /// - Returns: The library, or an empty one if it can't be read.
    private func library(_ file: ConfigurationFile, _ report: inout Report) throws -> Library {
        do {
            if options.isNew {
                report.tell(
                    "library",
                    options.canMakeLibrary
                        ? "none yet; the first start creates \(options.path)"
                        : "none, and can't create \(options.path): its directory can't be written to",
                    isRight: options.canMakeLibrary)
            } else {
                let library = try options.open(with: file)
                try look(at: library, &report)
                return library
            }
        } catch let error as LibraryError {
            report.tell("library", "\(error)", isRight: false)
        }
        return try Library(path: nil)
    }

    private func look(at library: Library, _ report: inout Report) throws {
        let feeds = try library.feeds.all()
        let size = ByteCount.text(Int64(library.size))
        report.tell("library", "\(library.path ?? "in memory"), \(size), \(feeds.count.counted("feed"))")
        if let caveat = library.caveat { report.tell("library", caveat, isRight: false) }
        let isWhole = try LibraryCheck.pagesAreIntact(library)
        report.tell(
            "pages", isWhole ? "whole" : "damaged; run 'tappa recover'", isRight: isWhole)
        let waiting = try library.search.unindexedCount()
        report.tell(
            "index",
            waiting == 0
                ? "complete"
                : "\(waiting.counted("entry waits", "entries wait")); the dashboard or 'tappa search --wait' indexes them"
        )
        let failing = feeds.filter { $0.error != nil }
        report.tell(
            "feeds", failing.isEmpty ? "no errors" : "\(failing.count) failed at the last reload")
        let pending = try library.outbox.count()
        if pending > 0 { report.tell("outbox", "\(pending) pending changes: 'tappa account outbox'") }
    }

    private func look(at file: ConfigurationFile, _ report: inout Report) {
        let path = options.configurationPath
        let isThere = FileManager.default.fileExists(atPath: path)
        for problem in file.problems { report.tell("configuration", problem.description, isRight: false) }
        for notice in file.notices { report.tell("configuration", missing: notice.description) }
        for problem in ThemeFile.read(folder: ThemeFile.folder(besideConfiguration: path)).problems {
            report.tell("themes", problem, isRight: false)
        }
        for problem in RaceFolder.problems(FileLocations.races) { report.tell("races", problem, isRight: false) }
        guard file.problems.isEmpty else { return }
        let parts = [(file.settings.count, "settings"), (file.rules.count, "rules"), (file.commands.count, "commands")]
        let words = parts.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        report.tell(
            "configuration", isThere || !file.rules.isEmpty ? "\(path): \(words)" : "none; \(path) would be used")
    }

    /// Checks that no other user can read tappa's files.
    private func checkPermissions(_ library: Library, _ report: inout Report) {
        guard let path = library.path else { return }
        for file in [path, path + ".secrets"] {
            var status = stat()
            guard stat(file, &status) == 0 else { continue }
            let mode = status.st_mode & 0o777
            report.tell(
                "permissions", "\(file) \(String(mode, radix: 8))" + (mode & 0o077 == 0 ? "" : ": others can read it"),
                isRight: mode & 0o077 == 0)
        }
    }

    private func checkTerminal(_ report: inout Report) {
        let environment = ProcessInfo.processInfo.environment
        let term = environment["TERM"] ?? ""
        report.tell("terminal", term.isEmpty ? "TERM is not set" : "TERM=\(term)", isRight: !term.isEmpty)
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "C"
        let isUnicode = ASCIISigns.hasUnicode { environment[$0] }
        report.tell("locale", isUnicode ? locale : "\(locale) is not UTF-8: letters beyond ASCII may appear wrong")
        if environment["TMUX"]?.isEmpty == false {
            let version = ChildProcess.output(of: ["tmux", "-V"])?.split(separator: "\n").first ?? "tmux"
            report.tell("tmux", "\(version)")
        }
    }

    private func checkPrograms(_ settings: Settings, _ file: ConfigurationFile, _ report: inout Report) throws {
        do throws(ProgramRefusal) {
            let browser = try LinkOpener.browser(
                setting: settings[.browser], link: "https://example.org/", find: ChildProcess.find)
            if let browser {
                report.tell("browser", browser.call.words.first ?? "")
            } else {
                report.tell("browser", missing: "not found; set BROWSER")
            }
        } catch {
            report.tell("browser", error.description, isRight: false)
        }
        let player = path(of: settings[.player])
        if let player {
            report.tell("player", player)
        } else {
            report.tell("player", missing: "'\(settings[.player])' not found; change audio.player")
        }
        if settings[.notifications] == "command" {
            let notifier = path(of: settings[.notifier])
            report.tell("notifications", notifier ?? "'\(settings[.notifier])' not found", isRight: notifier != nil)
        }
        let others = [SettingKey<String>.player, .notifier].map(\.name)
        for problem in settings.programProblems where others.contains(where: { problem.hasPrefix($0) }) {
            report.tell("programs", problem, isRight: false)
        }
        for command in file.commands where command.steps.isEmpty {
            guard let template = try? command.template(), ChildProcess.find(template.program) == nil else { continue }
            report.tell("command", "'\(command.name)': program not found", isRight: false)
        }
    }

    /// Returns the path of the program of a command line.
    private func path(of command: String) -> String? {
        CommandWords.split(command).first.flatMap(ChildProcess.find)
    }

    private func checkNetwork(_ settings: Settings, _ report: inout Report) {
        let environment = ProcessInfo.processInfo.environment
        let names = ["http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTPS_PROXY", "ALL_PROXY"]
        let proxies = names.filter { environment[$0]?.isEmpty == false }
        report.tell(
            "network",
            "tappa contacts private addresses only if you entered them"
                + (proxies.isEmpty ? "" : "; proxies from \(proxies.joined(separator: ", "))"))
        var files = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].compactMap { name in
            environment[name].flatMap { $0.isEmpty ? nil : (name: name, path: $0) }
        }
        if let path = settings.fileOfAuthorities { files.append((SettingKey.authorities.name, path)) }
        for file in files {
            let problem = Fetcher.problem(ofAuthorities: file.path)
            report.tell("authorities", "\(problem ?? file.path) (\(file.name))", isRight: problem == nil)
        }
    }
}
