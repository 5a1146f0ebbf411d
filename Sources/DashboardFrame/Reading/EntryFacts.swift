import Feeds
import ModelCore
import TerminalUI

/// What the inspector shows of an entry: its dates, feed, tags, links and files.
@MainActor
struct EntryFacts {
    let services: EntryServices

    private static let mostLinks = 12

    func paragraphs(of id: EntryID) -> [TextParagraph] {
        let access = services.access
        guard let entry = access.read(nil, { try $0.entries.detail(of: id) }) else { return [] }
        var lines = [TextParagraph(DisplayText(entry.title), .heading), .blank]
        lines += PublishDateViewController.lines(entry.dates, services.appearance.dates)
        var facts: [(name: DisplayText, value: DisplayText)] = [("Feed", DisplayText(entry.feedTitle))]
        if let author = entry.author { facts.append(("Author", DisplayText(author))) }
        let feed = access.read(nil) { try $0.feeds.feed(entry.subscriptionID) }
        if let folder = feed?.folder { facts.append(("Folder", DisplayText(folder))) }
        if let error = feed?.error { facts.append(("Error", DisplayText(error))) }
        let tags = access.read([]) { try $0.entries.tags(of: id) }
        if !tags.isEmpty { facts.append(("Tags", DisplayText(tags.joined(separator: " ")))) }
        if let address = entry.address { facts.append(("Link", DisplayText(address))) }
        for file in EntryArticle.recordings(in: entry.extras).prefix(EntryFacts.mostLinks) {
            facts.append(("File", DisplayText(file.url)))
        }
        lines += [.blank] + TextParagraph.facts(facts)
        return lines
    }
}

extension EntryListViewController: Inspectable {
    var inspectedSubject: AnyHashable? { selectedEntryID }
    func inspectedFacts() -> [TextParagraph] {
        selectedEntryID.map { EntryFacts(services: services).paragraphs(of: $0) } ?? []
    }
}

extension EntryViewController: Inspectable {
    var inspectedSubject: AnyHashable? { entryID }
    func inspectedFacts() -> [TextParagraph] { facts }
}

extension FeedListViewController: Inspectable {
    var inspectedSubject: AnyHashable? { selectedRow?.subscription?.id }

    func inspectedFacts() -> [TextParagraph] {
        guard let feed = selectedRow?.subscription, let health = access.read(nil, { try $0.feeds.health(of: feed.id) })
        else { return [] }
        let page = FeedHealthViewController(
            feed, health, dates: services.entries.appearance.dates, reloadMinutes: access.settings[.reloadMinutes])
        return [TextParagraph(page.title, .heading), .blank]
            + TextParagraph.facts(page.facts.map { (name: $0.name, value: $0.value) }, maximumName: 14)
    }
}
