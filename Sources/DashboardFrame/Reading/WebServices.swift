import Feeds
import RaceModel
import TerminalUI

/// What screens show of the web: pages, their dates and pictures, and links in the browser.
@MainActor
package final class WebServices {
    package let pages = PageService()
    package let pictures: PictureStore
    /// The publish dates of fetched articles, by page address.
    var articleDates: [String: WrittenDate] = [:]
    private let status: StatusController
    private let openLinkAction: @MainActor (String) async -> String?

    /// - Parameter openLink: Opens a link in the user's browser and returns an error message or `nil`.
    package init(
        status: StatusController, pictures: PictureStore, openLink: @escaping @MainActor (String) async -> String?
    ) {
        self.status = status
        self.pictures = pictures
        openLinkAction = openLink
    }

    /// Returns the publish date of a stage's article if the page was read.
    func articleDate(of stage: Stage) -> WrittenDate? { stage.articleURL.flatMap { articleDates[$0] } }

    /// Opens a link in the browser.
    package func openLink(_ link: String?) {
        guard let link else { return status.show("This entry has no link.") }
        status.show("Opening in the browser …")
        Task { [openLinkAction, status] in
            if let problem = await openLinkAction(link) {
                status.show(failure: problem)
            } else {
                status.show("Opened in the browser.")
            }
        }
    }
}
