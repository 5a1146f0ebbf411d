// swift-tools-version: 6.2
import PackageDescription

// The targets and dependencies are those of ARCHITECTURE.md. The compiler lets a target import the dependencies of its
// dependencies; ArrowTests doesn't.

// Only the program needs these packages. A package that depends only on the toolkit omits the trait (`traits: []`), and
// none of these repositories is fetched.
let program = TargetDependencyCondition.when(traits: ["Program"])
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift", condition: program)
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: program)
let logging = Target.Dependency.product(name: "Logging", package: "swift-log", condition: program)

let package = Package(
    name: "tappa",
    products: [
        .library(name: "TerminalUI", targets: ["TerminalUI", "TerminalUIExtras", "TerminalScreen", "TerminalText"]),
        .library(name: "TerminalUITesting", targets: ["TerminalUITesting"]),
        .executable(name: "tappa", targets: ["tappa"]),
    ],
    traits: [
        .default(enabledTraits: ["Program"]),
        .trait(name: "Program", description: "The program tappa with its libraries, in addition to the toolkit."),
    ],
    // Exact versions, so that a release can be built again unchanged.
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    ],
    targets: [
        // C libraries, one target each.
        .target(
            name: "CNcurses",
            linkerSettings: [.linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]
        ),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("z")]),
        .systemLibrary(name: "CUchardet", pkgConfig: "uchardet", providers: [.apt(["libuchardet-dev"])]),
        .target(
            name: "CPicture",
            linkerSettings: [
                .linkedLibrary("turbojpeg"), .linkedLibrary("spng"), .linkedLibrary("webp"), .linkedLibrary("gif"),
            ]
        ),

        // The C library under one name on every system, conversions that don't trap, instants, and the one reader of files.
        .target(name: "Platform"),
        // The one parser of addresses.
        .target(name: "WebAddresses", dependencies: ["Platform"]),
        .target(name: "CSpawn"),
        // The widths of characters, and words of any script.
        .target(name: "CText"),
        // Settings of SQLite, and its functions for regular expressions and compressed texts.
        .target(
            name: "CSQLiteFunctions", dependencies: ["CText"],
            linkerSettings: [.linkedLibrary("pcre2-8"), .linkedLibrary("zstd"), .linkedLibrary("sqlite3")]),

        // The toolkit.
        .target(name: "TerminalText", dependencies: ["Platform", "CText"]),
        .target(name: "TerminalScreen", dependencies: ["TerminalText", "Platform", "CNcurses", "CSpawn"]),
        .target(name: "TerminalUI", dependencies: ["TerminalScreen", "TerminalText", "Platform"]),
        .target(name: "TerminalUIExtras", dependencies: ["TerminalUI", "Platform"]),
        .target(name: "TerminalUITesting", dependencies: ["TerminalUI"]),

        // The engine: reading, fetching and storing.
        .target(
            name: "FeedParsing", dependencies: ["WebAddresses", "Platform", "CLibXML2", "CUchardet"]),
        .target(name: "Fetching", dependencies: ["WebAddresses", "Platform", "CCurl", "CSpawn"]),
        // The articles of pages and feeds: HTML as elements, extraction and rendering.
        .target(
            name: "Articles", dependencies: ["FeedParsing", "TerminalText", "WebAddresses", "Platform", "CLibXML2"]),
        // The model core: a kernel that knows no feature, the features, and their composition.
        .target(name: "LibraryKernel", dependencies: ["TerminalText", "Platform", "CSQLiteFunctions", grdb]),
        .target(
            name: "Feeds",
            dependencies: [
                "LibraryKernel", "Articles", "FeedParsing", "Fetching", "TerminalText", "WebAddresses", "Platform",
                grdb,
            ]),
        .target(
            name: "Accounts",
            dependencies: ["LibraryKernel", "Feeds", "FeedParsing", "Fetching", "WebAddresses", "Platform", grdb]),
        .target(
            name: "Races",
            dependencies: [
                "LibraryKernel", "Feeds", "RaceCentre", "RaceModel", "FeedParsing", "Fetching", "WebAddresses",
                "Platform", grdb,
            ]),
        .target(
            name: "ModelCore",
            dependencies: [
                "LibraryKernel", "Feeds", "Accounts", "Races", "RaceModel", "Fetching", "Platform",
                "CSQLiteFunctions", grdb,
            ]),
        // Races, their files and checks, without a database or a network.
        .target(name: "RaceModel", dependencies: ["FeedParsing", "WebAddresses", "Platform"]),
        // The race centres of races that are followed by name: names, addresses and responses, without a network.
        .target(name: "RaceCentre", dependencies: ["RaceModel", "FeedParsing", "WebAddresses", "Platform"]),
        .target(name: "Pictures", dependencies: ["CPicture"]),

        // The program: what the segments share, the segments, and their composition.
        .target(
            name: "DashboardFrame",
            dependencies: [
                "TerminalUI", "Articles", "Pictures", "ModelCore", "RaceCentre", "RaceModel", "Feeds", "LibraryKernel",
                "WebAddresses", "Platform",
            ]),
        .target(
            name: "StagesSegment",
            dependencies: [
                "DashboardFrame", "TerminalUI", "Pictures", "ModelCore", "Races", "RaceCentre", "RaceModel", "Feeds",
                "LibraryKernel", "Platform",
            ]),
        .target(
            name: "FeedsSegment",
            dependencies: [
                "DashboardFrame", "TerminalUI", "Articles", "ModelCore", "Accounts", "Feeds", "LibraryKernel",
                "WebAddresses",
            ]),
        .target(
            name: "SettingsSegment",
            dependencies: ["DashboardFrame", "TerminalUI", "ModelCore", "Feeds", "LibraryKernel"]),
        .target(
            name: "Dashboard",
            dependencies: [
                "DashboardFrame", "StagesSegment", "FeedsSegment", "SettingsSegment", "TerminalUI", "ModelCore",
                "Accounts", "Races", "RaceModel", "Feeds", "LibraryKernel",
            ]),
        .target(
            name: "Configuration",
            dependencies: [
                "ModelCore", "Feeds", "LibraryKernel", "FeedParsing", "TerminalUI", "TerminalText", "Fetching",
                "Platform",
            ]),
        .executableTarget(
            name: "tappa",
            dependencies: [
                "CSpawn", "Configuration", "Dashboard", "DashboardFrame", "Pictures", "TerminalUI", "TerminalText",
                "Articles", "ModelCore", "Accounts", "Races", "RaceCentre", "RaceModel", "Feeds", "LibraryKernel",
                "FeedParsing", "Fetching", "WebAddresses", "Platform", argumentParser, logging,
            ]),

        .executableTarget(name: "Example", dependencies: ["TerminalUI"]),
        .executableTarget(name: "Gallery", dependencies: ["TerminalUI", "TerminalUIExtras"]),

        // Benchmarks and tests.
        .executableTarget(
            name: "tappa-bench",
            dependencies: [
                "TerminalUI", "TerminalUIExtras", "FeedParsing", "ModelCore", "Pictures", "CLibXML2", "LoopbackServer",
                "CTesting", "CSpawn", "Platform", "Feeds", "LibraryKernel", "RaceCentre", "RaceModel", "Races",
            ]),
        // Pseudo-terminals, a disk whose power is cut, recorded system calls, and the JPEG file that `make bench` decodes.
        .target(
            name: "CTesting", path: "Tests/CTesting",
            linkerSettings: [.linkedLibrary("util"), .linkedLibrary("turbojpeg"), .linkedLibrary("sqlite3")]),
        .target(name: "CommonTesting", path: "Tests/CommonTesting"),
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Articles", "Configuration", "Dashboard", "FeedParsing", "ModelCore", "RaceCentre", "TerminalScreen",
                "TerminalUI", "Feeds", "LibraryKernel", "RaceModel", "DashboardFrame",
            ]),
        .target(
            name: "LibraryTesting",
            dependencies: [
                "ModelCore", "LibraryKernel", "Feeds", "Races", "Accounts", "FeedParsing", "CommonTesting",
                "RaceCentre", "RaceModel", grdb,
            ],
            path: "Tests/LibraryTesting"),
        .executableTarget(
            name: "library-walker",
            dependencies: [
                "ModelCore", "LibraryKernel", "Feeds", "Accounts", "Races", "RaceCentre", "TerminalUI", "CommonTesting",
                "CTesting", "FeedParsing", "LibraryTesting", grdb,
            ],
            path: "Tests/LibraryWalker"),
        .executableTarget(
            name: "simulated-world",
            dependencies: [
                "ModelCore", "LibraryKernel", "Feeds", "Accounts", "Races", "RaceCentre", "RaceModel", "FeedParsing",
                "Fetching", "CommonTesting", "CTesting", "LoopbackServer", "Platform", grdb,
            ],
            path: "Tests/SimulatedWorld"),
        .executableTarget(
            name: "screen-walker", dependencies: ["TerminalScreen", "TerminalText", "CommonTesting"],
            path: "Tests/ScreenWalker"),
        .target(name: "LoopbackServer", path: "Tests/LoopbackServer"),
        .testTarget(name: "PlatformTests", dependencies: ["Platform"]),
        .testTarget(name: "WebAddressesTests", dependencies: ["WebAddresses", "CommonTesting"]),
        .testTarget(name: "TerminalTextTests", dependencies: ["TerminalText"]),
        .testTarget(name: "TerminalScreenTests", dependencies: ["TerminalScreen", "TerminalText", "CommonTesting"]),
        .testTarget(
            name: "TerminalUITests",
            dependencies: [
                "TerminalUI", "TerminalUIExtras", "TerminalScreen", "TerminalUITesting", "CommonTesting", "Gallery",
            ],
            exclude: ["Screens"]),
        .testTarget(name: "FeedParsingTests", dependencies: ["FeedParsing", "CommonTesting"]),
        .testTarget(
            name: "FetchingTests",
            dependencies: ["Fetching", "CCurl", "WebAddresses", "CommonTesting", "LoopbackServer"]),
        .testTarget(
            name: "FeedServersTests", dependencies: ["Accounts", "Feeds", "FeedParsing", "Fetching", "LoopbackServer"]),
        .testTarget(
            name: "ModelCoreTests",
            dependencies: [
                "ModelCore", "LibraryKernel", "Feeds", "Accounts", "Races", "FeedParsing", "Fetching", "WebAddresses",
                "CSQLiteFunctions", "CTesting", "CommonTesting", "LibraryTesting", "LoopbackServer", "Platform",
                "RaceModel", "RaceCentre",
                grdb,
            ]),
        .testTarget(
            name: "ConfigurationTests",
            dependencies: [
                "Configuration", "ModelCore", "TerminalUI", "TerminalText", "CommonTesting", "LibraryKernel", "Feeds",
            ]),
        .testTarget(name: "ArticleExtractionTests", dependencies: ["Articles"]),
        .testTarget(name: "ArticleRenderingTests", dependencies: ["Articles", "TerminalText"]),
        .testTarget(
            name: "RaceCentreTests",
            dependencies: [
                "RaceCentre", "RaceModel", "ModelCore", "LibraryKernel", "Feeds", "Races", "Dashboard", "tappa",
                "TerminalUI", "TerminalUITesting", "CommonTesting", "LibraryTesting", "LoopbackServer",
                "library-walker", "Platform", "DashboardFrame", "StagesSegment", grdb,
            ]),
        .testTarget(name: "PicturesTests", dependencies: ["Pictures"]),
        .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "CommonTesting"]),
        .testTarget(
            name: "DashboardTests",
            dependencies: [
                "Dashboard", "ModelCore", "LibraryKernel", "Feeds", "Accounts", "Races", "TerminalUI", "FeedParsing",
                "Pictures", "CommonTesting", "TerminalUITesting", "LibraryTesting", "LoopbackServer",
                "CAllocationCount", "RaceModel", "RaceCentre", "Articles", "DashboardFrame", "FeedsSegment",
                "SettingsSegment", "StagesSegment", grdb,
            ],
            exclude: ["Screens", "Allocations.txt", "CommandsOfRows.txt", "CommandsOfScreens.txt", "Settings.txt"]),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "tappa", "library-walker", "simulated-world", "screen-walker", "CTesting", "CSpawn", "CommonTesting",
                "LibraryTesting",
                "LoopbackServer", "Platform", "ModelCore", "LibraryKernel", "Feeds", "Fetching", "Accounts", "Races",
                "FeedParsing", "Configuration", "Dashboard", "TerminalUI", "RaceModel", "DashboardFrame",
                argumentParser, grdb, logging,
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Built only by `make fuzz`: it needs libFuzzer's driver, which only its sanitizer provides.
if Context.environment["TAPPA_FUZZ"] != nil {
    package.targets.append(.executableTarget(name: "Fuzzing", dependencies: ["FuzzTargets"]))
}
