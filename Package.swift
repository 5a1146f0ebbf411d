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

        // Creates the photograph that `make bench` decodes.
        .systemLibrary(name: "CTurboJPEG", providers: [.apt(["libturbojpeg0-dev"])]),

        // The C library under one name on every system.
        .target(name: "Platform"),
        // Conversions of numbers and arithmetic with instants that don't trap, and numbers with their nouns.
        .target(name: "NumberConversion", dependencies: ["Platform"]),
        // The one parser of addresses.
        .target(name: "WebAddresses", dependencies: ["Platform"]),
        .target(name: "CCellWidth"),
        .target(name: "CWordFolding"),
        .target(name: "CSpawn"),
        .target(name: "CSQLiteSettings", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CRegularExpression", linkerSettings: [.linkedLibrary("pcre2-8")]),
        .target(
            name: "CStoredText", dependencies: ["CWordFolding"],
            linkerSettings: [.linkedLibrary("zstd"), .linkedLibrary("sqlite3")]),
        // Words of any script, for the index, for queries, for highlighting and for finding.
        .target(name: "WordFolding", dependencies: ["CWordFolding"]),

        // The toolkit.
        .target(name: "TerminalText", dependencies: ["WordFolding", "CCellWidth"]),
        .target(
            name: "TerminalScreen",
            dependencies: ["TerminalText", "NumberConversion", "Platform", "CNcurses", "CSpawn"]),
        .target(name: "TerminalUI", dependencies: ["TerminalScreen", "TerminalText", "NumberConversion"]),
        .target(name: "TerminalUIExtras", dependencies: ["TerminalUI", "NumberConversion"]),
        .target(name: "TerminalUITesting", dependencies: ["TerminalUI"]),

        // The engine: reading, fetching and storing.
        .target(
            name: "FeedParsing",
            dependencies: ["WebAddresses", "NumberConversion", "Platform", "CLibXML2", "CUchardet"]),
        .target(
            name: "Fetching", dependencies: ["WebAddresses", "NumberConversion", "Platform", "CCurl", "CSpawn"]),
        .target(
            name: "FeedServers", dependencies: ["FeedParsing", "Fetching", "WebAddresses", "NumberConversion"]),
        // The model core: a kernel that knows no feature, the features, and their composition.
        .target(
            name: "LibraryKernel",
            dependencies: [
                "WordFolding", "NumberConversion", "Platform", "CSQLiteSettings", "CRegularExpression", "CStoredText",
                grdb,
            ]),
        .target(
            name: "Feeds",
            dependencies: [
                "LibraryKernel", "ArticleExtraction", "FeedParsing", "FeedServers", "Fetching", "TerminalText",
                "WordFolding", "WebAddresses", "NumberConversion", grdb,
            ]),
        .target(
            name: "Downloads",
            dependencies: [
                "LibraryKernel", "Feeds", "FeedParsing", "Fetching", "WebAddresses", "NumberConversion", "Platform",
                grdb,
            ]),
        .target(name: "Search", dependencies: ["LibraryKernel", "Feeds", "WordFolding", "NumberConversion", grdb]),
        .target(
            name: "Rules",
            dependencies: [
                "LibraryKernel", "Feeds", "Search", "Downloads", "FeedParsing", "Fetching", "TerminalText",
                "WebAddresses", "NumberConversion", grdb,
            ]),
        .target(
            name: "Accounts",
            dependencies: [
                "LibraryKernel", "Feeds", "FeedParsing", "FeedServers", "Fetching", "WebAddresses", "NumberConversion",
                grdb,
            ]),
        .target(
            name: "Races",
            dependencies: [
                "LibraryKernel", "Feeds", "RaceCentre", "RaceModel", "FeedParsing", "Fetching", "WebAddresses",
                "NumberConversion", grdb,
            ]),
        .target(
            name: "ReaderImport",
            dependencies: [
                "LibraryKernel", "Feeds", "FeedParsing", "Fetching", "WebAddresses", "NumberConversion", grdb,
            ]),
        .target(
            name: "ModelCore",
            dependencies: [
                "Fetching", "LibraryKernel", "Feeds", "Downloads", "Search", "Rules", "Accounts", "Races", "RaceCentre",
                "RaceModel", "ReaderImport",
                "NumberConversion", "CSQLiteSettings", "CRegularExpression", "CStoredText", grdb,
            ]),
        // Races, their files and checks, without a database or a network.
        .target(name: "RaceModel", dependencies: ["FeedParsing", "WebAddresses", "NumberConversion"]),
        // The race centres of races that are followed by name: names, addresses and responses, without a network.
        .target(name: "RaceCentre", dependencies: ["RaceModel", "FeedParsing", "WebAddresses", "NumberConversion"]),
        .target(name: "HTMLReading", dependencies: ["Platform", "CLibXML2"]),
        .target(
            name: "ArticleExtraction", dependencies: ["HTMLReading", "FeedParsing", "WebAddresses", "NumberConversion"]),
        .target(name: "ArticleRendering", dependencies: ["HTMLReading", "TerminalText", "WebAddresses"]),
        .target(name: "Pictures", dependencies: ["CPicture"]),

        // The program.
        .target(
            name: "Dashboard",
            dependencies: [
                "TerminalUI", "ArticleExtraction", "ArticleRendering", "Pictures", "ModelCore", "WebAddresses",
                "NumberConversion", "Platform",
            ]),
        .target(
            name: "Configuration",
            dependencies: ["ModelCore", "FeedParsing", "TerminalUI", "TerminalText", "Fetching", "NumberConversion"]),
        .executableTarget(
            name: "tappa",
            dependencies: [
                "CSpawn", "Configuration", "Dashboard", "Pictures", "TerminalUI", "TerminalText", "ArticleExtraction",
                "ArticleRendering", "ModelCore", "RaceCentre", "FeedParsing", "FeedServers", "Fetching", "WebAddresses",
                "NumberConversion", "Platform", argumentParser, logging,
            ]),

        .executableTarget(name: "Example", dependencies: ["TerminalUI"]),
        .executableTarget(name: "Gallery", dependencies: ["TerminalUI", "TerminalUIExtras"]),

        // Benchmarks and tests.
        .target(name: "CPseudoTerminal", linkerSettings: [.linkedLibrary("util")]),
        .executableTarget(
            name: "tappa-bench",
            dependencies: [
                "TerminalUI", "TerminalUIExtras", "FeedParsing", "ModelCore", "Pictures", "CLibXML2", "CTurboJPEG",
                "LoopbackServer", "CPseudoTerminal", "CSpawn", "Platform",
            ]),
        .target(name: "CommonTesting", path: "Tests/CommonTesting"),
        .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
        .target(
            name: "FuzzTargets",
            dependencies: [
                "ArticleExtraction", "ArticleRendering", "Configuration", "Dashboard", "FeedParsing", "ModelCore",
                "RaceCentre", "TerminalScreen", "TerminalUI",
            ]),
        .target(
            name: "LibraryTesting",
            dependencies: [
                "ModelCore", "LibraryKernel", "Feeds", "Races", "Accounts", "FeedParsing", "CommonTesting", grdb,
            ],
            path: "Tests/LibraryTesting"),
        .executableTarget(
            name: "library-walker",
            dependencies: [
                "ModelCore", "LibraryKernel", "Feeds", "Accounts", "Races", "RaceCentre", "TerminalUI", "CommonTesting",
                "LibraryTesting", grdb,
            ],
            path: "Tests/LibraryWalker"),
        .executableTarget(
            name: "screen-walker", dependencies: ["TerminalScreen", "TerminalText", "CommonTesting"],
            path: "Tests/ScreenWalker"),
        .target(name: "LoopbackServer", path: "Tests/LoopbackServer"),
        .testTarget(name: "NumberConversionTests", dependencies: ["NumberConversion"]),
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
            name: "FeedServersTests", dependencies: ["FeedServers", "FeedParsing", "Fetching", "LoopbackServer"]),
        .testTarget(
            name: "ModelCoreTests",
            dependencies: [
                "ModelCore", "LibraryKernel", "Feeds", "Downloads", "Search", "Rules", "Accounts", "Races",
                "ReaderImport",
                "FeedParsing", "FeedServers", "Fetching", "WebAddresses", "CommonTesting", "LibraryTesting",
                "LoopbackServer", "Platform", grdb,
            ]),
        .testTarget(
            name: "ConfigurationTests",
            dependencies: ["Configuration", "ModelCore", "TerminalUI", "TerminalText", "CommonTesting"]),
        .testTarget(name: "ArticleExtractionTests", dependencies: ["ArticleExtraction", "HTMLReading"]),
        .testTarget(name: "ArticleRenderingTests", dependencies: ["ArticleRendering", "HTMLReading", "TerminalText"]),
        .testTarget(
            name: "RaceCentreTests",
            dependencies: [
                "RaceCentre", "RaceModel", "ModelCore", "LibraryKernel", "Feeds", "Races", "Dashboard", "tappa",
                "TerminalUI", "TerminalUITesting", "CommonTesting", "LibraryTesting", "LoopbackServer",
                "library-walker",
                grdb,
            ]),
        .testTarget(name: "PicturesTests", dependencies: ["Pictures"]),
        .testTarget(name: "FuzzTargetsTests", dependencies: ["FuzzTargets", "CommonTesting"]),
        .testTarget(
            name: "DashboardTests",
            dependencies: [
                "Dashboard", "ArticleRendering", "ModelCore", "LibraryKernel", "Feeds", "Downloads", "Search", "Rules",
                "Accounts", "Races", "ReaderImport", "TerminalUI", "FeedParsing", "Pictures", "CommonTesting",
                "TerminalUITesting", "LibraryTesting", "LoopbackServer", "CAllocationCount", grdb,
            ],
            exclude: ["Screens", "Allocations.txt", "CommandsOfRows.txt", "CommandsOfScreens.txt", "Settings.txt"]),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "tappa", "library-walker", "screen-walker", "CPseudoTerminal", "CSpawn", "CommonTesting",
                "LibraryTesting", "LoopbackServer", "Platform", "ModelCore", "LibraryKernel", "Feeds", "Fetching",
                "Downloads",
                "Search", "Rules", "Accounts", "Races", "ReaderImport", "FeedParsing", "Configuration",
                "Dashboard",
                "TerminalUI",
                argumentParser,
                grdb,
                logging,
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// Built only by `make fuzz`: it needs libFuzzer's driver, which only its sanitizer provides.
if Context.environment["TAPPA_FUZZ"] != nil {
    package.targets.append(.executableTarget(name: "Fuzzing", dependencies: ["FuzzTargets"]))
}
