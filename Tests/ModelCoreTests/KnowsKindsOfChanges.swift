import CommonTesting
import Foundation
import GRDB
import LibraryTesting
import Testing

@testable import Feeds
@testable import LibraryKernel
@testable import ModelCore

/// Journals and undo steps name the kinds of their changes. Kinds of another version cause no loss.
@Suite struct KnowsKindsOfChanges {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path("l.sqlite") }

    /// A kind that is not registered could be written to a journal but not read from it.
    @Test func registersEveryKindOnce() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        var types: Set<String> = []
        let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /struct (\w+): [^{\n]*\b(Library|Entry|Feed)Change\b[^{\n]*\{/) {
                types.insert(String(match.1))
            }
        }
        #expect(types.count > 50)
        let registered = Set(LibraryFeatures.changeKinds.all.map { "\($0)" })
        for type in types.subtracting(registered).sorted() {
            Issue.record("Name \(type).self in the changes of its feature's LibraryFeature, in its …Feature.swift.")
        }
        #expect(registered.subtracting(types) == [])
        #expect(Set(LibraryFeatures.changeKinds.all.map { $0.kind }).count == types.count)
        #expect(LibraryFeatures.changeKinds.all.allSatisfy { !$0.kind.isEmpty })
    }

    /// The changes of a journal that this version knows are stored; the journal with the others is moved aside.
    @Test func quarantinesChangesOfUnknownKinds() async throws {
        let library = try Library(path: path)
        let id = try await library.follow("https://a.example/feed")
        let identity = try #require(library.store.identity)
        #expect(library.changes.drain() == .stored)
        let known = String(
            decoding: try JSONEncoder().encode(Journal.Item(id: UUID(), change: .rename(id, title: "New"))),
            as: UTF8.self)
        let unknown = """
            {"id":"\(UUID())","change":{"kind":"feeds.fly","change":{"feed":\(id),"to":"the moon"}}}
            """
        let file = path + ".waiting-" + UUID().uuidString
        try Data(
            """
            {"id":"\(UUID())","library":"\(identity)","items":[\(unknown),\(known)]}
            """.utf8
        ).write(to: URL(fileURLWithPath: file))
        let next = try Library(path: path)
        #expect(try next.feeds.feed(id)?.title == "New")
        #expect(
            next.notices == [
                "stored 1 change of the previous run",
                "1 change of another version of tappa can't be stored; see \(file).not-taken",
            ])
        #expect(try String(contentsOfFile: file + ".not-taken", encoding: .utf8).contains("the moon"))
        #expect(try Library(path: path).notices == [])
    }

    /// An undo step of an unknown kind is reported and remains, since the version that wrote it can still use it.
    @Test func reportsUndoStepsOfUnknownKinds() async throws {
        let (library, id) = try await Library.following("https://a.example/feed")
        let renamed = try await library.changes.perform(.rename(id, title: "New"))
        try library.execute(
            "UPDATE undo_step SET inverse = '{\"kind\":\"feeds.fly\",\"change\":{}}' WHERE change = ?",
            [renamed.id.uuidString])
        let receipt = try await library.undo(renamed)
        #expect(receipt.count == 0)
        let sentence = try #require(receipt.sentence)
        #expect(
            sentence.hasPrefix("Can't undo renaming ")
                && sentence.hasSuffix(", because another version of tappa made the change"))
        #expect(try library.feeds.feed(id)?.title == "New")
        #expect(try library.read { try UndoLog($0).hasStep(of: renamed.id) })
    }
}
