import ArgumentParser
import FeedParsing
import Feeds
import Foundation
import LibraryKernel

/// The importable content of another program's files, identified by their content.
struct ReaderImport {
    var list: [ListedSubscription] = []
    var programs: [ListedSubscription] = []
    var queries: [ListedQuery] = []
    var hasLists = false
    /// A configuration of newsboat or newsraft.
    typealias Configuration = (path: String, text: String)
    /// The paths of databases of newsboat and newsraft.
    var databases: [String] = []
    var configurations: [Configuration] = []
    var newsraftConfigurations: [Configuration] = []
    /// A sentence for each unreadable file beside one that was named.
    var unreadable: [String] = []
    var stars: [(path: String, items: [ForeignEntry])] = []

    /// The names of files in a folder of newsboat or newsraft.
    private static let names = ["urls", "feeds", "config", "cache.db", "newsraft.sqlite3"]

    /// Adds a file, or the files in a folder.
    ///
    /// - Throws: An exit code, after a message, if nothing can be read.
    mutating func take(_ file: String, withNeighbours: Bool) throws {
        let path = UserFile.expanded(file)
        var isFolder: ObjCBool = false
        guard file != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            return try takeFile(file, path, isNamed: true)
        }
        guard isFolder.boolValue else {
            try takeFile(file, path, isNamed: true)
            if withNeighbours, (path as NSString).lastPathComponent == "urls" {
                try takeFolder((path as NSString).deletingLastPathComponent, without: path)
            }
            return
        }
        let before = databases.count + configurations.count + (hasLists ? 1 : 0)
        try takeFolder(path, without: nil)
        guard databases.count + configurations.count + (hasLists ? 1 : 0) > before else {
            throw fail("\(file) has no files of newsboat or newsraft", ExitStatus.noInput)
        }
    }

    private mutating func takeFolder(_ folder: String, without taken: String?) throws {
        var paths = ReaderImport.names.map { "\(folder)/\($0)" }
        // With XDG directories, the database is elsewhere.
        let parts = folder.split(separator: "/")
        if let name = parts.last, parts.dropLast().last == ".config" {
            let home = "/" + parts.dropLast(2).joined(separator: "/")
            paths += ["cache.db", "newsraft.sqlite3"].map { "\(home)/.local/share/\(name)/\($0)" }
        }
        for path in paths where path != taken && FileManager.default.fileExists(atPath: path) {
            // Newsraft's configuration has another format than newsboat's.
            if path.hasSuffix("/config"), FileManager.default.fileExists(atPath: "\(folder)/feeds") {
                if let text = foundText(path) { newsraftConfigurations.append((path, text)) }
                continue
            }
            if isEmpty(path) {
                unreadable.append("\(path): empty file")
            } else {
                try takeFile(path, path, isNamed: false)
            }
        }
    }

    /// Returns the text of a file that was found in a folder, or `nil` after reporting that it can't be read.
    private mutating func foundText(_ path: String) -> String? {
        do throws(UserFile.Problem) {
            return String(decoding: try UserFile.read(path, isFound: true), as: UTF8.self)
        } catch {
            unreadable.append(error.description)
            return nil
        }
    }

    private func isEmpty(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) == 0
    }

    private mutating func takeFile(_ file: String, _ path: String, isNamed: Bool) throws {
        if file != "-", ReaderDatabase.isOne(path) { return databases.append(path) }
        if !isNamed, (path as NSString).lastPathComponent == "config" {
            if let text = foundText(path) { configurations.append((path, text)) }
            return
        }
        var data = try readInput(file == "-" ? file : path)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        if data.starts(with: mark) { data = Data(data.dropFirst(mark.count)) }
        if data.first(where: { !$0.isBlank }) == UInt8(ascii: "{"), let items = StarredItems.read(data) {
            return stars.append((file, items))
        }
        do {
            let isNewsraft = file != "-" && SubscriptionFiles.isNewsraft(path)
            let reading = try SubscriptionFiles.read(Array(data), isNewsraft: isNewsraft ? true : nil)
            if reading.list.isEmpty, reading.programs.isEmpty, reading.queries.isEmpty, !reading.problems.isEmpty {
                if let text = configuration(data) { return configurations.append((path, text)) }
                tell(reading, of: file)
                throw fail("\(file): no feeds found", ExitStatus.badData)
            }
            hasLists = true
            list += reading.list
            programs += reading.programs
            queries += reading.queries
            tell(reading, of: file)
        } catch let code as ExitCode {
            throw code
        } catch {
            if let text = configuration(data) { return configurations.append((path, text)) }
            throw fail("\(file): \(error)", ExitStatus.badData)
        }
    }

    /// The maximum number of reported problems for a file.
    private static let maximumProblems = 50

    private func tell(_ reading: SubscriptionFiles.Reading, of file: String) {
        for problem in reading.problems.prefix(ReaderImport.maximumProblems) {
            printError("\(file): \(ImportedText.shown(message: problem))")
        }
        let rest = reading.problems.count - ReaderImport.maximumProblems + reading.otherProblems
        if rest > 0 { printError("\(file): and \(rest) more") }
    }

    /// Returns the text if it contains a newsboat command at the start of a line.
    private func configuration(_ data: Data) -> String? {
        let known = [
            "bind-key ", "unbind-key ", "macro ", "browser ", "color ", "ignore-article ", "auto-reload ",
            "reload-time ",
            "player ", "bookmark-cmd ", "article-sort-order ", "highlight ",
        ]
        let text = String(decoding: data, as: UTF8.self)
        let isOne = text.split(whereSeparator: \.isNewline).contains { line in known.contains { line.hasPrefix($0) } }
        return isOne ? text : nil
    }

    /// Whether newsboat holds its lock on a database.
    static func isInUse(_ path: String) -> Bool {
        let file = open(path + ".lock", O_RDWR)
        guard file >= 0 else { return false }
        defer { close(file) }
        return lockf(file, F_TEST, 0) != 0
    }
}

extension UInt8 {
    fileprivate var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
