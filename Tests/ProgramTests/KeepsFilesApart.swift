import CommonTesting
import Foundation
import LibraryTesting
import Logging
import LoopbackServer
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import tappa

/// The program's own files: locations, permissions, and the handling of foreign files.
@Suite struct KeepsFilesApart: ProgramSuite {
    let temporary = TemporaryFolder()

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    // MARK: Places

    @Test(
        arguments: [
            ([:], "/home/a/.local/share/tappa"), (["XDG_DATA_HOME": "/data"], "/data/tappa"),
            (["XDG_DATA_HOME": "/"], "//tappa"),
            // The specification requires ignoring relative paths.
            (["XDG_DATA_HOME": ""], "/home/a/.local/share/tappa"),
            (["XDG_DATA_HOME": "data"], "/home/a/.local/share/tappa"),
            (["XDG_DATA_HOME": "~/data"], "/home/a/.local/share/tappa"),
            (["XDG_STATE_HOME": "/state"], "/home/a/.local/share/tappa"),
        ] as [([String: String], String)])
    func followsTheDirectorySpecification(environment: [String: String], expected: String) {
        let all = environment.merging(["HOME": "/home/a"]) { $1 }
        #expect(FileLocations.directory("XDG_DATA_HOME", ".local/share") { all[$0] } == expected)
    }

    /// With the built program: each kind of file in its directory.
    @Test func placesEachKindOfFile() throws {
        let places = ["data", "config", "cache", "state"]
        let environment = Dictionary(
            uniqueKeysWithValues: places.map { ("XDG_\($0.uppercased())_HOME", temporary.path($0)) })
        let config = tappa("config", "--path", environment: environment)
        #expect(config.output == temporary.path("config/tappa/config.toml") + "\n")
        #expect(tappa("config", "--path", "--config", "/x/y.toml").output == "/x/y.toml\n")
        let added = tappa("add", "--as-is", "http://127.0.0.1:1/f", environment: environment)
        #expect(added.code == 0)
        try OtherProgram.makeFeedsDue(at: temporary.path("data/tappa/library.sqlite"))
        #expect(tappa("reload", "--quiet", environment: environment).code == 69)
        let (data, state) = (temporary.path("data/tappa"), temporary.path("state/tappa"))
        for (path, expected) in [
            (data, 0o700), ("\(data)/library.sqlite", 0o600), (state, 0o700), ("\(state)/libraries", 0o600),
            ("\(state)/tappa.log", 0o600),
        ] as [(String, mode_t)] { #expect(mode(path) == expected, "\(path)") }
        // Nothing elsewhere, and no more than needed.
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: home.path)) == ["data", "state"])
        for folder in [data, state] { chmod(folder, 0o777) }
        chmod("\(data)/library.sqlite", 0o666)
        #expect(tappa("list", environment: environment).code == 0)
        #expect(mode(data) == 0o700 && mode("\(data)/library.sqlite") == 0o600)
    }

    /// A folder named by the user keeps its permissions; the library in it is private.
    @Test func makesANamedLibraryPrivateAndItsFolderUnchanged() throws {
        let folder = temporary.path("shared")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        #expect(tappa("list", "--database", folder + "/l.sqlite").code == 0)
        #expect(mode(folder) == 0o755 && mode(folder + "/l.sqlite") == 0o600)
        let backup = tappa("backup", folder + "/b.sqlite", "--database", folder + "/l.sqlite")
        #expect(backup.code == 0 && mode(folder + "/b.sqlite") == 0o600)
    }

    /// SQLite reads some relative paths as URIs, and creates a file with other permissions at others.
    @Test(arguments: ["file:l.sqlite", ":memory:", "l.sqlite/"]) func usesTheNamedFile(name: String) throws {
        let result = shell(
            """
            cd '\(temporary.url.path)' && umask 022 && "$0" list --database '\(name)' \
                && "$0" backup file:b.sqlite --database '\(name)'
            """)
        #expect(result.code == 0)
        for file in [name.replacing("/", with: ""), "file:b.sqlite"] {
            let path = temporary.path(file)
            let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            #expect(size > 0 && mode(path) == 0o600)
        }
        #expect(!FileManager.default.fileExists(atPath: temporary.path("b.sqlite")))
    }

    /// A library is made private, which would lock everybody else out of the folder.
    @Test func refusesAFolderAsALibrary() throws {
        let folder = temporary.path("shared")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        let result = tappa("list", "--database", folder)
        #expect(result.code == 74)
        #expect(result.errors == "tappa: can't open \(folder): it is a directory, pipe or device\n")
        #expect(mode(folder) == 0o755)
    }

    @Test func refusesAPipeAsALibrary() {
        let result = shell("cd '\(temporary.url.path)' && mkfifo pipe && timeout 60 \"$0\" list --database pipe")
        #expect(result.code == 74)
        #expect(result.errors == "tappa: can't open \(temporary.path("pipe")): it is a directory, pipe or device\n")
    }

    /// A program that opened such a pipe would wait until another one opens it too.
    @Test func waitsForNoPipeInItsFolders() {
        let journal = "library.sqlite.waiting-\(UUID().uuidString)"
        let result = shell(
            """
            export XDG_STATE_HOME='\(temporary.path("state"))' XDG_DATA_HOME='\(temporary.path("data"))'
            export XDG_CONFIG_HOME='\(temporary.path("config"))'
            mkdir -p "$XDG_STATE_HOME/tappa" "$XDG_DATA_HOME/tappa" "$XDG_CONFIG_HOME/tappa"
            mkfifo "$XDG_STATE_HOME/tappa/tappa.log" "$XDG_STATE_HOME/tappa/libraries" \
                "$XDG_CONFIG_HOME/tappa/sources.json" "$XDG_DATA_HOME/tappa/\(journal)"
            timeout 60 "$0" list && timeout 60 "$0" race known
            """)
        #expect(result.code == 0)
    }

    // MARK: Screens

    @Test(arguments: [
        ("tmux-main 0 1\n", "tmux-main-0-1-.json"), ("/dev/pts/3", "-dev-pts-3.json"),
        ("tmux-../../x 0 0", "tmux-------x-0-0.json"),
        ("tmux-größe 10 2", "tmux-größe-10-2.json"), ("a.b\u{1B}", "a-b-.json"), ("", ".json"),
    ]) func namesStateFilesAfterThePane(pane: String, name: String) {
        #expect(ScreenState.fileName(pane) == name)
    }

    @Test func readsOnlyStateWrittenByItsOwner() throws {
        let file = temporary.url.appendingPathComponent("screens/pane.json")
        var state = DashboardState(segment: "feeds")
        state.roots = ["feeds": "{\"list\": \"x\"}"]
        ScreenState.write(state, to: file)
        #expect(ScreenState.read(file) == state)
        #expect(mode(file.path) == 0o600 && mode(file.deletingLastPathComponent().path) == 0o700)
        // Rewritten, and nothing else remains beside it.
        state.segment = "settings"
        ScreenState.write(state, to: file)
        #expect(ScreenState.read(file) == state)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path("screens")) == ["pane.json"])
    }

    @Test(arguments: [(61, true), (3600, true), (50, false), (0, false)]) func deletesStrayFilesAfterAMinute(
        age: Int, isOld: Bool
    ) throws {
        let strays = [".pane-1", ".dat.nosync0a", "x.json.part-7"]
        let others = ["x.json", ".pane", "pane-1", ".dat", "part-1", ".hidden"]
        for name in strays + others {
            try Data("x".utf8).write(to: URL(fileURLWithPath: temporary.path(name)))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -Double(age))], ofItemAtPath: temporary.path(name))
        }
        ScreenState.removeStrays(in: temporary.url.path)
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: temporary.url.path))
        #expect(left == Set(isOld ? others : strays + others))
    }

    // MARK: Pictures

    private func cache(_ limit: Int = 64 << 20) -> PictureCache {
        PictureCache(folder: temporary.path("cache/pictures"), limit: limit)
    }

    @Test func makesPicturesPrivate() throws {
        #expect(cache().keep([1, 2, 3], of: "https://a.example/1"))
        #expect(mode(cache().file("https://a.example/1")) == 0o600)
        #expect(mode(temporary.path("cache")) == 0o700 && mode(temporary.path("cache/pictures")) == 0o700)
        #expect(FileManager.default.contents(atPath: cache().file("https://a.example/1")) == Data([1, 2, 3]))
        // Each address has its own file.
        let names = ["https://a.example/1", "https://a.example/2", "https://a.example/1?", "https://b.example/1", ""]
            .map(cache().file)
        #expect(Set(names).count == names.count)
        let nowhere = PictureCache(folder: "/proc/none/pictures")
        #expect(!nowhere.keep([1], of: "x"))
    }

    /// The oldest are deleted until the new one fits, to the byte.
    @Test func deletesTheOldestPictures() throws {
        let cache = cache(100)
        func age(_ url: String, _ seconds: Double) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: cache.file(url))
        }
        func kept() -> [String] {
            ["a", "b", "c", "d", "e"].filter { FileManager.default.fileExists(atPath: cache.file($0)) }
        }
        for (index, url) in ["b", "a", "c"].enumerated() {
            #expect(cache.keep(Array(repeating: 1, count: 30), of: url))
            try age(url, 1000 - Double(index))
        }
        #expect(cache.keep(Array(repeating: 1, count: 10), of: "d"))
        #expect(kept() == ["a", "b", "c", "d"] && cache.kept.size() == 100)
        #expect(cache.keep([1], of: "e"))
        #expect(kept() == ["a", "c", "d", "e"] && cache.kept.size() == 71)
        #expect(cache.kept.clear() == 71 && cache.kept.size() == 0 && kept().isEmpty)
        #expect(PictureCache().limit == 64 << 20)
    }

    @Test func deletesOnlyFiles() throws {
        let cache = cache()
        #expect(cache.keep([1, 2], of: "a"))
        try FileManager.default.createDirectory(atPath: cache.folder + "/folder", withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: temporary.path("mine")))
        try FileManager.default.createSymbolicLink(
            atPath: cache.folder + "/link", withDestinationPath: temporary.path("mine"))
        #expect(cache.kept.size() == 2 && cache.kept.clear() == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: cache.folder).sorted() == ["folder", "link"])
        #expect(FileManager.default.fileExists(atPath: temporary.path("mine")))
    }

    @Test func cachesHintsForEachRequest() throws {
        let cache = cache()
        let requests: [PictureRequest] = [
            .bundled(race: "giro", stage: 1), .bundled(race: "giro", stage: 11),
            .address("https://a.example/1", ownHost: nil),
            .thumbnail("https://a.example/1", ownHost: nil), .address("https://a.example/2", ownHost: nil),
        ]
        for (index, request) in requests.enumerated() {
            #expect(cache.hint(request) == nil)
            let colors = (0..<PictureHint.bytes).map { UInt8(truncatingIfNeeded: $0 * 7 + index) }
            let hint = try #require(PictureHint(width: 70_000 + index, height: 300 + index, colors: colors))
            cache.keep(hint, of: request)
        }
        for (index, request) in requests.enumerated() {
            let hint = try #require(cache.hint(request))
            #expect(hint.width == 70_000 + index && hint.height == 300 + index)
            #expect(hint.colors == (0..<PictureHint.bytes).map { UInt8(truncatingIfNeeded: $0 * 7 + index) })
        }
        // The trusted host doesn't change the picture.
        #expect(cache.hint(.address("https://a.example/1", ownHost: "a.example")) != nil)
        let file = cache.file("https://a.example/2") + ".hint"
        for count in [0, 7, 8, 8 + PictureHint.bytes - 1, 8 + PictureHint.bytes + 1] {
            try Data(repeating: 1, count: count).write(to: URL(fileURLWithPath: file))
            #expect(cache.hint(requests[4]) == nil, "\(count)")
        }
    }

    /// A picture is fetched once and decoded by another process, no larger than the terminal shows it.
    @Test func fetchesAndDecodesAPictureOnce() async throws {
        let png: [UInt8] = Array(
            Data(
                base64Encoded:
                    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
                ?? Data())
        let server = try LoopbackServer { request in
            request.path == "/cut" ? .init(200, body: Array(png.prefix(45))) : .init(200, body: png)
        }
        let loader = PictureLoader(cache: cache(), program: Program.path.path)
        let host = "127.0.0.1:\(server.port)"
        for request in [
            PictureRequest.address(server.url("/a"), ownHost: host), .thumbnail(server.url("/a"), ownHost: host),
        ] {
            let picture = try await loader.load(request).get()
            #expect(picture.width == 1 && picture.height == 1 && picture.rgba.count == 4)
        }
        #expect(server.requests.count == 1)
        guard case .failure(let problem) = await loader.load(.address(server.url("/cut"), ownHost: host)) else {
            Issue.record("half a picture was decoded")
            return
        }
        #expect("\(problem)" == "can't show the picture: damaged or too large")
        guard
            case .failure(let none) = await PictureLoader(cache: cache(), program: nil).load(
                .address(server.url("/a"), ownHost: host))
        else {
            Issue.record("there was no program to decode it")
            return
        }
        #expect("\(none)" == "pictures can't be decoded here")
        guard let bundled = try? await loader.load(.bundled(race: "giro-d-italia-2010", stage: 1)).get() else {
            Issue.record("the picture that comes with the program is not shown")
            return
        }
        #expect(bundled.width > 100 && bundled.width <= 1200 && bundled.height <= 900)
        #expect(PictureLoader.bundled(race: "giro-d-italia-2010", stage: 12)?.hasSuffix("/12.png") == true)
    }

    // MARK: Links to the configuration

    @Test(arguments: [
        ("config.toml", true), ("a.toml", true), ("b.yaml", true), ("c.yml", true), ("mine", false),
        ("config.toml~", false),
        (".config.toml.swp", false), ("notes.txt", false), ("toml", false), ("4913", false),
    ]) func watchesOnlyFilesItReads(name: String, isRead: Bool) {
        #expect(ConfigurationWatch.isRead(name, "/home/a/.config/tappa/config.toml") == isRead)
        #expect(ConfigurationWatch.isRead("mine", "/home/a/mine"))
    }

    // MARK: The log

    @Test(arguments: ProgramLog.Level.allCases) func logsByLevel(level: ProgramLog.Level) throws {
        var options = ProgramLog.Options()
        options.logLevel = level
        #expect(options.logger("x").logLevel == level.level)
        #expect("\(level.level)" == level.rawValue)
    }

    @Test func keepsOneEarlierLog() throws {
        let path = temporary.path("state/tappa/tappa.log")
        let log = try #require(FileLog(label: "l", path: path))
        #expect(mode(temporary.path("state/tappa")) == 0o700)
        for round in 1...3 {
            log.note(.warning, "begin \(round)")
            truncate(path, (1 << 20) + 1)
            log.note(.warning, "end \(round)")
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: temporary.path("state/tappa")).sorted()
        #expect(names == ["tappa.log.1"])
        let aside = try String(contentsOfFile: path + ".1", encoding: .utf8)
        #expect(
            aside.contains(" warning l: begin 3\n") && aside.hasSuffix(" warning l: end 3\n")
                && !aside.contains("begin 2"))
        // The permissions of a readable file are corrected.
        try Data("x\n".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o644)
        _ = FileLog(label: "l", path: path)
        #expect(mode(path) == 0o600)
    }

    @Test func logsNoHomeFolder() {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        #expect(
            ProgramLog.withoutPrivateParts("\(home)/x is gone, \(home)/y too")
                == (home.count > 1 ? "~/x is gone, ~/y too" : "/x is gone, /y too"))
        #expect(ProgramLog.withoutPrivateParts("a://b:c@d@e/f g://h#i \"j://k\"") == "a://e/… g://h/… \"j://k\"")
        #expect(ProgramLog.withoutPrivateParts("x\u{1B}[31m\ny").unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}
