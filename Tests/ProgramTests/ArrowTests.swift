import CommonTesting
import Foundation
import Testing

/// The dependencies in ARCHITECTURE.md: a target imports only what the manifest lists for it.
@Suite struct ArrowTests {
    /// Modules of the toolchain.
    private static let standard: Set<String> = ["Foundation", "Dispatch", "Synchronization", "Testing"]
    /// Products of other packages by their names in the manifest.
    private static let products = [
        "grdb": "GRDB", "argumentParser": "ArgumentParser", "logging": "Logging",
    ]

    private struct Target {
        var name: String
        var path: String
        var dependencies: Set<String>

        var isTest: Bool { path.hasPrefix("Tests") }
    }

    private let root = Program.sources

    /// The targets of a manifest: a name, and a list of names and of the manifest's constants.
    private func targets(_ manifest: String) -> [Target] {
        var targets: [Target] = []
        for (kind, folder) in [(".target(", "Sources"), (".executableTarget(", "Sources"), (".testTarget(", "Tests")] {
            for part in manifest.components(separatedBy: kind).dropFirst() {
                let body = block(part)
                guard let name = quoted(body, after: "name:") else { continue }
                let path = quoted(body, after: "path:") ?? "\(folder)/\(name)"
                var dependencies: Set<String> = []
                if let start = body.range(of: "dependencies:"), let end = body[start.upperBound...].firstIndex(of: "]")
                {
                    let list = body[start.upperBound..<end].split {
                        !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_"
                    }
                    dependencies = Set(list.map { ArrowTests.products[String($0)] ?? String($0) })
                }
                targets.append(Target(name: name, path: path, dependencies: dependencies))
            }
        }
        return targets
    }

    /// The text up to the bracket that closes the one before it.
    private func block(_ text: String) -> String {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return String(text[..<index]) }
        }
        return text
    }

    private func quoted(_ text: String, after label: String) -> String? {
        guard let start = text.range(of: label) else { return nil }
        return text[start.upperBound...].split(separator: "\"", maxSplits: 2).dropFirst().first.map(String.init)
    }

    /// The modules that the files of a folder import, each with one such file.
    private func imports(in folder: URL) throws -> [String: String] {
        var imports: [String: String] = [:]
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard let place = words.firstIndex(of: "import"), words.indices.contains(place + 1),
                    words[..<place].allSatisfy({ $0.hasPrefix("@") || $0 == "public" || $0 == "internal" })
                else { continue }
                let module = words[place + 1].split(separator: ".")[0]
                imports[String(module)] = file.lastPathComponent
            }
        }
        return imports
    }

    /// Foundation's readers end the program when a read fails, or read without a bound.
    @Test func onlyOnePlaceReadsFiles() throws {
        let calls = [
            "readDataToEndOfFile", "readToEnd", "availableData", "readData(", "FileHandle(", "Data(contentsOf:",
            "String(contentsOf", "contents(atPath:", "InputStream(", " readLine(", "(readLine(",
        ]
        // Tools of developers, and a file that is mapped instead of being read.
        let exceptions = ["tappa-bench", "TerminalUITesting", "BuildID.swift"]
        let files = FileManager.default.enumerator(
            at: root.appendingPathComponent("Sources"), includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            guard exceptions.allSatisfy({ !file.pathComponents.contains($0) }) else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for call in calls { #expect(!text.contains(call), "\(file.lastPathComponent) calls \(call)") }
        }
    }

    /// What is written anywhere else might not survive a power cut.
    @Test func onlyOnePlaceWritesFiles() throws {
        let call = #/O_(CREAT|TRUNC|WRONLY|APPEND)|\.write\(to(File)?: (?!&)|createFile\(|fopen\(|mkstemp/#
        // Tools of developers.
        let tools: Set = ["tappa-bench", "Gallery", "Example", "TerminalUITesting", "FuzzTargets"]
        let exceptions: Set = [
            "FileWriting.swift", "PrivateFile.swift",
            // Nothing remains of these: tmux's answer in a deleted file, and a standard stream that was closed.
            "ScreenState.swift", "ResourceLimits.swift",
            // These files grow while they are received, and are synced when they count.
            "RaceRecordingCommands.swift", "DownloadService.swift", "ReceivedFile.swift",
        ]
        let folders = try FileManager.default.contentsOfDirectory(atPath: root.path + "/Sources")
        let files = try swiftFiles(in: folders.filter { !tools.contains($0) }.map { "Sources/" + $0 })
        #expect(files.count > 400)
        for (file, text) in files where !exceptions.contains(file) {
            for line in text.split(separator: "\n") where !line.contains("///") {
                #expect(!line.contains(call), "\(file): use FileWriting in \(line)")
            }
        }
    }

    /// A simulation replaces time for all of the program, so only ``Clock`` and ``Stopwatch`` ask the system for it.
    @Test func timeEntersInOnePlace() throws {
        let call =
            #/\bDate\(\)|Date\.now|\btime\(n|clock_gettime|gettimeofday|Task\.sleep|asyncAfter|DispatchTime|DispatchWallTime|DispatchSemaphore|(Continuous|Suspending)Clock(\.now|\(\))|\busleep\(|nanosleep|timeIntervalSinceNow|timeout: |unixepoch|CURRENT_TIMESTAMP|to: \.now\)/#
        let exceptions: Set = [
            // Where time enters; the toolkit, which waits for a terminal and its user; what measures the real program.
            "Platform", "TerminalScreen", "TerminalUI", "TerminalUIExtras", "TerminalUITesting", "Example",
            "Gallery", "tappa-bench",
            // Asks for the processor time of a thread.
            "BackgroundRead.swift",
        ]
        let folders = try FileManager.default.contentsOfDirectory(atPath: root.path + "/Sources")
        let files = try swiftFiles(in: folders.filter { !exceptions.contains($0) }.map { "Sources/" + $0 })
        #expect(files.count > 400)
        for (file, text) in files where !exceptions.contains(file) {
            for line in text.split(separator: "\n") where !line.contains("///") {
                #expect(!line.contains(call), "\(file): use Clock or Stopwatch in \(line)")
            }
        }
        for line in ["try await Task.sleep(for: x)", "start.duration(to: .now)", "lock.wait(timeout: .now() + 1)"] {
            #expect(line.contains(call), "\(line)")
        }
    }

    @Test func everyImportIsDeclaredInTheManifest() throws {
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let targets = targets(manifest)
        #expect(
            targets.count > 25 && targets.contains { $0.name == "Dashboard" && $0.dependencies.contains("ModelCore") })
        for target in targets {
            for (module, file) in try imports(in: root.appendingPathComponent(target.path)) {
                // The C library has a different name on each system: only Platform and tests for one system import it.
                let isPlatform =
                    ["Glibc", "Musl", "Darwin"].contains(module) && (target.name == "Platform" || target.isTest)
                #expect(
                    ArrowTests.standard.contains(module) || target.dependencies.contains(module) || isPlatform,
                    "\(target.name) imports \(module) in \(file)")
            }
        }
        // A missing dependency would be noticed.
        #expect(targets.first { $0.name == "Dashboard" }?.dependencies.contains("GRDB") == false)
    }

    /// The modules in the drawing of ARCHITECTURE, each with the names behind its arrow.
    private func drawnModules() throws -> [String: Set<String>] {
        let text = try String(contentsOf: root.appendingPathComponent("ARCHITECTURE.md"), encoding: .utf8)
        var modules: [String: Set<String>] = [:]
        for line in text.split(separator: "\n") {
            guard let module = line.wholeMatch(of: /(?: |│)+[├└]─ (\w+) (.*)/) else { continue }
            let arrow = module.2.components(separatedBy: "──").dropFirst().joined()
            modules[String(module.1)] = Set(arrow.matches(of: /\w+/).map { String($0.output) })
        }
        return modules
    }

    /// The kernel of the library knows no feature, and the features reach each other only by the arrows of ARCHITECTURE.
    @Test func featuresStandSideBySide() throws {
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let targets = targets(manifest)
        let drawn = try drawnModules()
        // Whatever stores something in the library is built on the kernel.
        let features = targets.filter {
            $0.dependencies.contains("LibraryKernel") && $0.path.hasPrefix("Sources/")
                && $0.name != "ModelCore" && !$0.dependencies.contains("ModelCore")
        }.map(\.name)
        #expect(Set(features).isSuperset(of: ["Feeds", "Accounts", "Races"]))
        let core = targets.first { $0.name == "ModelCore" }
        #expect(core?.dependencies.isSuperset(of: features) == true, "ModelCore composes all features")
        for name in features + ["LibraryKernel"] {
            let arrow = try #require(drawn[name], "ARCHITECTURE.md doesn't draw \(name)")
            let target = try #require(targets.first { $0.name == name })
            #expect(
                target.dependencies.intersection(features) == arrow.intersection(features),
                "ARCHITECTURE.md and Package.swift don't agree on what \(name) uses")
        }
        // The two that others stand on.
        #expect(drawn["LibraryKernel"]?.isDisjoint(with: features) == true)
        #expect(drawn["Feeds"]?.isDisjoint(with: features) == true && drawn["Races"]?.contains("Feeds") == true)
    }

    /// A type with many members, in however many files, is changed by everything.
    @Test func typesHaveFewMembers() throws {
        let counts = try TypeMembers.counts(in: root.appendingPathComponent("Sources"))
        #expect(counts.count > 1000)
        #expect(counts.filter { $0.value > 60 } == [:])
    }

    /// Folders that use each other can only be read and changed together.
    @Test func foldersUseEachOtherInOneDirection() throws {
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let stored = targets(manifest).filter { $0.dependencies.contains("LibraryKernel") }.map(\.path)
        let modules = [
            "LibraryKernel", "Configuration", "FeedParsing", "RaceCentre", "RaceModel", "Dashboard", "DashboardFrame",
            "FeedsSegment", "StagesSegment", "SettingsSegment", "tappa", "TerminalScreen", "TerminalUI",
        ]
        .map { "Sources/\($0)" }
        for path in Set(modules + stored).sorted() where path.hasPrefix("Sources/") {
            #expect(try FolderCircles.arrows(in: root.appendingPathComponent(path)) == [], "\(path)")
        }
    }

    /// Folders that use each other, directly or through a third, would be noticed.
    @Test(arguments: [
        (
            ["A/a": "struct One { var two: Two }", "B/b": "struct Two { func f() -> One? { nil } }"],
            ["A uses Two of B", "B uses One of A"]
        ),
        (
            [
                "A/a": "struct One { var two: Two }", "B/b": "struct Two { var three: Three }",
                "C/c": "struct Three { func f() -> One? { nil } }", "D/d": "struct Four { var one: One }",
            ], ["A uses Two of B", "B uses Three of C", "C uses One of A"]
        ),
        (
            // Neither a member nor a text is the type with the same name, but what a text interpolates is code.
            [
                "A/a": "struct One { var two: Two }", "B/b": "struct Two { let x = Four.One.self, y = \"One \\(x)\" }",
                "C/c": "struct Three { var three: Five }", "D/d": "struct Five { let x = \"\\(Three.self)\" }",
                "E/e": "struct Four {\n    struct One {}\n}",
            ], ["C uses Five of D", "D uses Three of C"]
        ),
    ])
    func noticesFoldersThatUseEachOther(files: [String: String], expected: [String]) throws {
        let folder = TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: name + ".swift") }
        #expect(try FolderCircles.arrows(in: folder.url) == expected)
    }

    /// C's `char` is signed on some machines and unsigned on others (AAPCS64), so its bits are converted in a way that
    /// works for both.
    @Test func convertsCCharactersPortably() throws {
        let files = try swiftFiles(in: ["Sources", "Tests"])
        #expect(files.count > 200)
        for (file, text) in files {
            for type in ["UInt8", "Int8", "CChar"] {
                #expect(!text.contains("\(type)(bitPattern" + ":"), "\(file)")
            }
        }
    }

    /// Swift's conversions of floating-point numbers trap on large values. `Platform` redeclares them, so that the compiler
    /// warns about each in files that see that module: they import it, or a module that exports it.
    @Test func filesWithFloatingPointSeeSafeConversions() throws {
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        // Programs for benchmarks, demonstrations and fuzzing.
        let others = ["tappa-bench", "Gallery", "Example", "Fuzzing", "FuzzTargets"]
        let modules = try targets(manifest).filter { $0.path.hasPrefix("Sources/") && !others.contains($0.name) }
            .map { (name: $0.name, files: try swiftFiles(in: [$0.path])) }
        var exporters: Set = ["Platform"]
        for _ in modules {
            for (name, files) in modules
            where files.contains(where: { file in
                exporters.contains { file.text.contains("@_exported import \($0)\n") }
            }) { exporters.insert(name) }
        }
        var count = 0
        for (name, files) in modules where !exporters.contains(name) {
            for (file, text) in files where text.contains(/Double|Float|TimeInterval|timeIntervalSince1970|\.rounded\(/)
            {
                count += 1
                #expect(
                    exporters.contains { text.contains("import \($0)\n") },
                    "\(file) of \(name) uses floating-point numbers: import Platform")
            }
        }
        #expect(count > 40)
        // Both floating-point types for each of ten integer types.
        let conversions = try swiftFiles(in: ["Sources/Platform"]).map(\.text).joined()
        let type =
            /@available\(\*, deprecated, .*\nextension \w+ {\n    package init\(_ source: Double\).*\n    package init\(_ source: Float\)/
        #expect(conversions.matches(of: type).count == 10)
    }

    /// A construct in a line of code that traps on some data, and its replacement.
    private func trap(in line: Substring) -> String? {
        if line.contains("uniqueKeysWithValues:") { return "Dictionary(_:uniquingKeysWith:)" }
        if line.contains(", offsetBy: "), !line.contains("limitedBy:") { return "index(_:offsetBy:limitedBy:)" }
        if line.contains("repeating:"), line.contains(#/count: (?!max\()[^,]* - /#) { return "count: max(0, …)" }
        if line.contains("fix(") || line.contains("drop"),
            line.contains(#/\.(prefix|suffix|dropFirst|dropLast)\((?!max\(|columns:)[^(){}]* - /#)
        {
            return "max(0, …)"
        }
        return nil
    }

    /// A generic value wraps a bare function at each access, until a call overflows the stack. A structure around it doesn't.
    @Test func locksHoldNoBareFunctions() throws {
        for (file, text) in try swiftFiles(in: ["Sources", "Tests"]) where text.contains("Mutex") {
            #expect(!text.contains(/Mutex(<[^=\n]*->|\(\{)/), "\(file)")
        }
    }

    @Test func makesNoTrappingCalls() throws {
        for (file, text) in try swiftFiles(in: ["Sources"]) {
            for line in text.split(separator: "\n") {
                let instead = trap(in: line)
                #expect(instead == nil, "\(file): write \(instead ?? "") in \(line)")
            }
        }
        // Such lines would be noticed.
        for line in [
            "Dictionary(uniqueKeysWithValues: x)", "text.index(start, offsetBy: 3)", "list.prefix(count - 1)",
            "String(repeating: mark, count: a - b.count)",
        ] { #expect(trap(in: Substring(line)) != nil, "\(line)") }
    }

    /// Ranges over numbers of race files would need ordered bounds. `RaceLimits` compares numbers instead. The ranges that
    /// remain have bounds that are ordered by construction, such as byte offsets, so only their number is checked.
    @Test func raceCodeFormsNoMoreRanges() throws {
        var ranges: [String] = []
        for (file, text) in try swiftFiles(in: [
            "Sources/RaceModel", "Sources/Races", "Sources/FeedParsing/Races", "Sources/StagesSegment",
        ]) {
            for line in text.split(separator: "\n") where line.contains(/\.\.[.<]/) {
                let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
                for range in code.matches(of: /([A-Za-z0-9_.)\]]+) ?\.\.[.<] ?([-A-Za-z0-9_.(\[]+)/) {
                    let (lower, upper) = (String(range.output.1), String(range.output.2))
                    let isLiteral = { (bound: String) in bound.wholeMatch(of: /-?[0-9][0-9_xA-F.]*/) != nil }
                    if isLiteral(lower), isLiteral(upper) || upper.hasSuffix(".count") { continue }
                    ranges.append("\(file): \(code)")
                }
            }
        }
        #expect(ranges.count > 10)
        #expect(
            ranges.count <= 24,
            "A range traps if its bounds are out of order: compare numbers instead. \(ranges)")
    }

    /// A second parser of addresses could find another host than the one that is checked.
    @Test func addressesAreParsedInOnePlace() throws {
        // Foundation's parser, and parsing by hand.
        let ways: [Regex<Substring>] = [
            /\bURLComponents\(/, /\bURL\(string:/, /":\/\/"/, /hasPrefix\("https?[:"\/]/, /\binet_pton\(/,
        ]
        let parser = try swiftFiles(in: ["Sources/WebAddresses"]).map(\.name)
        var found: [String] = []
        for (file, text) in try swiftFiles(in: ["Sources"]) where !parser.contains(file) {
            for line in text.split(separator: "\n") where ways.contains(where: { line.contains($0) }) {
                found.append("\(file): \(line)")
            }
        }
        // One shortens normal forms for the digest of each entry, two recognize names of vocabularies that libxml2 accepts as
        // they are.
        #expect(found.count <= 3, "Use WebAddress instead: \(found)")
        // Such lines would be noticed.
        for line in [
            "URL(string: link)", "URLComponents()", "link.range(of: \"://\")", "link.hasPrefix(\"http\")",
            "link.hasPrefix(\"https://\")", "inet_pton(AF_INET, x, &y)",
        ] { #expect(ways.contains { line.contains($0) }, "\(line)") }
    }

    private func swiftFiles(in folders: [String]) throws -> [(name: String, text: String)] {
        try folders.flatMap { folder in
            let files = FileManager.default.enumerator(
                at: root.appendingPathComponent(folder), includingPropertiesForKeys: nil)
            return try (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }.map {
                ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
            }
        }
    }

    /// `exit` tears down the C libraries while other threads use them, and `FileHandle` ends the program on a full
    /// disk: so there is one way to exit and one way to print.
    @Test func exitsAndPrintsInOnePlace() throws {
        var ends = 0
        for (file, text) in try swiftFiles(in: ["Sources/tappa"]) {
            ends += text.matches(of: /\b_exit\(/).count
            for way in [/[^_A-Za-z]exit\(/, /[^.A-Za-z]print\(/, /\bfputs\(/, /FileHandle\.standardOutput/] {
                #expect(!text.contains(way), "\(file)")
            }
        }
        #expect(ends == 1)
    }
}
