import ArgumentParser
import Feeds
import Fetching
import Foundation
import LibraryKernel
import Platform
import WebAddresses

struct SaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save a web page for reading later.",
        discussion: """
            Stores the article of the page in the list "Read later", under the feed "Saved pages". A page without an article is \
            saved as a link.
            """)

    @Argument(help: ArgumentHelp("The address of a web page.", valueName: "url"))
    var url: String

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard WebAddress.isWeb(url) else {
            throw ValidationError("'\(url)' is not a web address; it must begin with http:// or https://.")
        }
    }

    func run() throws {
        let library = try options.openLibrary()
        let page: SavedPage
        do {
            // The user chose the host, so it may be private.
            page = try runBlocking { [url] in
                try await PageService(fetcher: Fetcher()).savedPage(url, ownHost: TrustedHost.of(url))
            }
        } catch {
            throw fail("\(url): \(error)", ExitStatus.unavailable)
        }
        let now = Instant.now
        let receipt = try library.carryOut(.savePage(page, now: now))
        let title = (try? library.races.shown(page.title, at: now)) ?? page.title
        let what = page.html == nil ? "saved as a link" : "saved"
        printLine(receipt.count > 0 ? "\(what): \(title)" : "already saved: \(title)")
    }
}
