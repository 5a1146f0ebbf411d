import DashboardFrame
import Feeds
import ModelCore
import TerminalUI

extension FeedListViewController: PlaceShowing {}

extension PlaceShowing where Self: FeedListViewController {
    package var placeShown: ShownPlace? {
        selectedRow.map { row in
            ShownPlace(subject: row.identifier, place: { row.place.map { .list($0) } }) { [weak self] in
                row.subscription.flatMap { self?.facts(of: $0) } ?? []
            }
        }
    }

    private func facts(of feed: SubscriptionRow) -> [TextParagraph] {
        guard let health = access.read(nil, { try $0.feeds.health(of: feed.id) }) else { return [] }
        let page = FeedHealthViewController(
            feed, health, dates: services.entries.appearance.dates, reloadMinutes: access.settings[.reloadMinutes])
        return [TextParagraph(page.title, .heading), .blank] + TextParagraph.facts(page.facts, maximumName: 14)
    }
}

extension EntryListViewController: PlaceShowing {}

extension PlaceShowing where Self: EntryListViewController {
    var placeShown: ShownPlace? {
        let (scope, services, id) = (scope, services, selectedEntryID)
        func list() -> Place.List? { services.access.read(nil) { try PlaceNames($0).list(of: scope) } }
        guard let id else { return ShownPlace(subject: scope, place: { list().map { .list($0) } }) }
        // The article beside the list has links, too.
        let beside = splitViewController?.detailViewController as? EntryViewController
        if let beside, beside.entryID == id, var shown = beside.placeShown {
            shown.place = { .entry(id, in: list()) }
            return shown
        }
        return ShownPlace(subject: id, place: { .entry(id, in: list()) }) {
            EntryFacts(services: services).paragraphs(of: id)
        }
    }
}
