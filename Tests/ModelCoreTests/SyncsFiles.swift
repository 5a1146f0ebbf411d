import CTesting
import CommonTesting
import Foundation
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Written files survive a power cut: their data are synced before they get their names, and their names before they count.
@Suite(.serialized) struct SyncsFiles {
    private let temporary = TemporaryFolder()

    /// Returns the system calls of a function that concern the temporary folder.
    private func calls(_ body: () throws -> Void) rethrows -> [[String]] {
        let name = temporary.url.lastPathComponent
        csc_record(name)
        do { try body() } catch {
            free(csc_take())
            throw error
        }
        guard let text = csc_take() else { return [] }
        defer { free(text) }
        return String(cString: text).split(separator: "\n").map { line in
            line.split(separator: " ").map { String($0) }
        }
    }

    private static func name(_ path: String) -> String { URL(fileURLWithPath: path).lastPathComponent }

    /// Expects that a file is synced, then renamed if it had another name, and then its folder synced.
    private func expectSafe(_ file: String, _ size: Int, _ calls: [[String]]) throws {
        let name = SyncsFiles.name(file)
        var order = calls[...]
        let moved = calls.first { $0.count == 3 && $0[0] != "fsync" && SyncsFiles.name($0[2]) == name }
        let source = moved.map { SyncsFiles.name($0[1]) } ?? name
        let isSynced = order.firstIndex { $0[0] == "fsync" && SyncsFiles.name($0[1]) == source && $0[2] == "\(size)" }
        order = order[(try #require(isSynced, "\(calls)") + 1)...]
        if let moved { order = order[(try #require(order.firstIndex(of: moved), "\(calls)") + 1)...] }
        let folder = URL(fileURLWithPath: file).deletingLastPathComponent().lastPathComponent
        #expect(order.contains { $0[0] == "fsync" && SyncsFiles.name($0[1]) == folder }, "\(calls)")
    }

    @Test func syncsFilesBeforeTheyCount() throws {
        let (data, path) = (Data("content".utf8), temporary.path("file"))
        try expectSafe(path, 7, calls { try UserFile.write(data, to: path) })
        try expectSafe(path, 7, calls { try UserFile.replace(path, with: data) })
        try expectSafe(path, 7, calls { #expect(PrivateFile.replace(path, with: data)) })
        try expectSafe(path, 14, calls { #expect(FileWriting.append(data, to: path) == nil) })
        // Downloads and restored libraries.
        let moved = temporary.path("moved")
        try expectSafe(moved, 14, calls { #expect(FileWriting.move(path, to: moved) == nil) })
    }

    @Test func syncsJournals() throws {
        let path = temporary.path("library.sqlite")
        let journal = Journal(library: "x", items: [])
        let calls = try calls { try journal.write(beside: path) }
        let file = try #require(Journal.files(beside: path).first)
        let size = try #require(FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
        try expectSafe(file, size, calls)
    }

    @Test func syncsSecrets() throws {
        let library = temporary.path("library.sqlite")
        let store = SecretStore(library: library)
        let calls = try calls { _ = try store.keep(Secret(user: "alice", password: .kept("secret"))) }
        let file = try #require(
            FileManager.default.contentsOfDirectory(atPath: temporary.url.path).first { $0.hasSuffix(".secrets") })
        let size = try #require(FileManager.default.attributesOfItem(atPath: temporary.path(file))[.size] as? Int)
        try expectSafe(temporary.path(file), size, calls)
    }

    @Test func syncsTheListOfKnownLibraries() throws {
        let file = temporary.path("known")
        let known = KnownLibraries(file: file, isAtOwnPlace: false)
        try expectSafe(file, 6, calls { #expect(known.add("token")) })
    }
}
