import ArgumentParser
import Configuration
import Feeds
import Foundation
import LibraryKernel
import ModelCore
import Platform
import Synchronization
import TerminalText
import WebAddresses

struct DownloadsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "downloads", abstract: "Manage downloads of audio and video.",
        discussion: """
            'run' and dashboards download the queue one file after the other. An interrupted download continues where it stopped.
            """,
        subcommands: [List.self, Run.self, Add.self, Remove.self], defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the downloads (the default).")

        @Flag(help: "Print a JSON array.")
        var json = false

        @OptionGroup var options: LibraryOptions

        private struct Item: Encodable {
            var id: DownloadID
            /// The address, which is omitted like the path if it would reveal a hidden result.
            var url: String?
            var title: String
            var path: String?
            var done: Bool
            var received: Int64
            var size: Int64?
            var error: String?
        }

        func run() throws {
            let library = try options.openLibrary()
            let downloads = try library.downloads.all()
            guard json else {
                for download in downloads {
                    printFields(["\(download.id)", download.state, download.title, download.place])
                }
                return
            }
            try printJSON(
                downloads.map {
                    Item(
                        id: $0.id, url: $0.isSpoiler ? nil : $0.url, title: $0.title,
                        path: $0.isSpoiler ? nil : $0.path, done: $0.isDone, received: $0.received,
                        size: $0.size, error: $0.error)
                })
        }
    }

    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Run pending downloads and retry failed ones.")

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try options.openLibrary()
            let settings = try options.settings(library, file: options.configurationFile())
            let now = Instant.now
            for failed in try library.downloads.all() where failed.error != nil {
                try library.carryOut(
                    .queueDownload(url: failed.url, title: failed.title, allowsPrivateHost: false, now: now))
            }
            let folder = settings[.mediaFolder]
            let failures = Mutex(0)
            try runBlocking {
                let progress = DownloadsCommand.showProgress(library)
                defer { progress?.cancel() }
                try await DownloadService(library: library).run(folder: folder) { download in
                    guard download.isDone || download.error != nil else { return }
                    if download.error != nil { failures.withLock { $0 += 1 } }
                    if progress != nil { printProgress("") }
                    printFields([download.title, download.state, download.place])
                }
            }
            let failed = failures.withLock { $0 }
            if failed > 0 {
                throw fail("\(failed.counted("file")) could not be downloaded", ExitStatus.unavailable)
            }
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add audio or video to the queue.")

        @Argument(help: ArgumentHelp("Addresses of audio or video files.", valueName: "url"))
        var urls: [String]

        @Option(help: ArgumentHelp("The title of the files.", valueName: "name"))
        var title: String?

        @OptionGroup var options: LibraryOptions

        func validate() throws {
            for url in urls where WebAddress(url)?.isWeb != true {
                throw ValidationError("'\(url)' is not a valid http or https address.")
            }
        }

        func run() throws {
            let library = try options.openLibrary()
            for url in urls {
                let name = String(WrittenAddress.lastComponent(of: url))
                let own = name.split(separator: ".").dropLast().joined(separator: ".")
                let title = title ?? (own.isEmpty ? name : own)
                let receipt = try library.carryOut(
                    .queueDownload(url: url, title: title, allowsPrivateHost: true, now: .now))
                printLine(receipt.count > 0 ? "queued \(url)" : "already queued: \(url)")
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a download from the queue; its file stays.")

        @Argument(help: ArgumentHelp("The number printed by 'downloads list'.", valueName: "number"))
        var number: DownloadID

        @OptionGroup var options: LibraryOptions

        func run() throws {
            let library = try options.openLibrary()
            guard let download = try library.downloads.all().first(where: { $0.id == number }) else {
                throw fail("no such download: \(number)", ExitStatus.noInput)
            }
            try library.carryOut(.removeDownload(number))
            // Nothing can continue this partial file any more.
            if !download.isDone, let part = download.partPath { unlink(part) }
            printLine("removed \(download.title)")
        }
    }

    /// Shows the progress of the current download on a terminal, every half second.
    private static func showProgress(_ library: Library) -> Task<Void, Never>? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        return Task {
            while !Task.isCancelled {
                let present = (try? library.downloads.all())?.first { !$0.isDone && $0.error == nil && $0.received > 0 }
                if let present { printProgress("\(present.title): \(present.state)") }
                try? await Clock.sleep(for: .milliseconds(500))
            }
        }
    }
}
