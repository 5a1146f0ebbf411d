import Articles
import Feeds
import Foundation
import LibraryKernel
import ModelCore
import TerminalUI

/// Shows the text of an entry.
@MainActor
package final class EntryViewController: ViewController, RowDetail {
    let services: EntryServices
    private var access: LibraryAccess { services.access }
    private var entry: EntryDetail
    private var observations: [Observation] = []
    private lazy var reader = ArticleReader(in: self, services) { [weak self] in self?.feedHost }
    private var textView: TextView { reader.textView }
    private var rendering: BackgroundRead?
    private let refresh = Coalescer()
    private let dateItem = BarButtonItem(EntryCommands.publishDate, title: "date", priority: 4)
    /// The entries from which it was opened.
    package weak var sequence: (any EntrySequence)?
    /// The hits of the search from which it was opened, which the text highlights.
    package var hits = SearchHits(of: nil)
    private lazy var keptPlace = entry.place ?? ""
    private lazy var actions = EntryActions(self, services)

    /// The rendered content that appears with the next layout.
    private var prepared: ArticleDocument?

    /// - Parameter article: The rendered content if it is known already.
    package init(entry: EntryDetail, article: ArticleDocument? = nil, services: EntryServices) {
        self.entry = entry
        prepared = article
        self.services = services
        super.init()
        title = DisplayText(entry.title)
    }

    package var entryID: EntryID { entry.id }

    /// The reading position.
    package var place: TextView.Place { textView.place }

    /// Restores the reading position of an earlier run.
    package func restore(_ place: TextView.Place) {
        _ = view
        textView.restore(place)
    }

    /// The links of the article, once it was read.
    var links: [ArticleLink] { (reader.article ?? prepared)?.links ?? [] }

    /// The text is being rendered.
    package override var awaitsContent: Bool { reader.article == nil && prepared == nil && viewIfLoaded != nil }

    package override func makeView() -> View { textView }

    package override func viewDidLoad() {
        toolbarItems = [
            BarButtonItem(TextCommands.pageDown, title: "page", priority: 0),
            BarButtonItem(EntryCommands.nextUnread, title: "next unread", priority: 3),
            BarButtonItem(EntryCommands.toggleStar, title: "star", priority: 2),
            BarButtonItem(EntryCommands.openInBrowser, title: "browser", priority: 1), dateItem,
        ]
        reader.prepare()
        reader.pictures.isWanted = entry.options.showsPictures
        if !hits.isEmpty { textView.highlights = { [hits] in hits.columns(in: $0) } }
        textView.onScroll = { [weak self] in
            self?.showProgress()
            self?.reader.pictures.textDidMove()
        }
        // Paging beyond the end opens the next unread entry, except in a preview.
        textView.onPageBeyondEnd = { [weak self] in
            if let self, self.navigationController != nil { self.sequence?.openUnread(1) }
        }
        textView.setParagraphs(header(minutes: nil))
        if textView.place == .start, let place = entry.place.flatMap({ TextView.Place(kept: $0) }) {
            textView.restore(place)
        }
        if let prepared { reader.addPicturesItem(for: prepared) } else { render() }
        observations = [
            access.library.observe(.spoilers) { [weak self] in self?.spoilersDidChange() },
            access.library.observe(.played) { [weak self] in self?.playedDidChange() },
            access.library.observe(.contents) { [weak self] in
                self?.refresh.schedule { [weak self] in self?.contentMayHaveChanged() }
            },
        ]
    }

    /// The entry in the library, or `nil` if it was deleted.
    private var stored: EntryDetail? { access.read(nil) { try $0.entries.detail(of: entry.id) } }

    /// Updates the content when spoilers are hidden or shown.
    private func spoilersDidChange() {
        guard let now = stored, now.isSpoiler != entry.isSpoiler else { return }
        entry = now
        title = DisplayText(entry.title)
        reader.pictures.stop()
        textView.setParagraphs(header(minutes: nil))
        render()
    }

    /// Shows the new playback position beside an enclosure's address.
    private func playedDidChange() {
        guard let now = stored, now.played != entry.played else { return }
        entry.played = now.played
        render()
    }

    /// Shows what the feed has changed without moving the reading position (row FEE-06). A deleted entry stays
    /// readable.
    private func contentMayHaveChanged() {
        guard let now = stored, content(of: now) != content(of: entry) else { return }
        entry = now
        title = DisplayText(entry.title)
        render()
    }

    // MARK: Title

    /// Shows the reading progress and, in the bar, the entry's feed while the title is on the page, and the title once
    /// it was scrolled away.
    private func showProgress() {
        navigationItem.progress = textView.readingProgress
        let isOnPage = textView.firstVisibleParagraph == 0
        navigationItem.titleOverContent = isOnPage ? (backNamesFeed ? .empty : DisplayText(entry.feedTitle)) : nil
    }

    /// Whether the back item in the same bar has the feed's name.
    private var backNamesFeed: Bool {
        guard let navigationController, let list = sequence as? ViewController else { return false }
        return list.title.string == entry.feedTitle && navigationController.viewControllers.contains { $0 === list }
    }

    /// Returns an entry without marks and reading position, whose changes don't affect the text.
    private func content(of entry: EntryDetail) -> EntryDetail {
        var content = entry
        (content.isRead, content.isStarred, content.place) = (false, false, nil)
        return content
    }

    /// Renders the content on a background thread, because articles may be long. Most appear with the entry at once.
    private func render() {
        let (entry, browserKey) = (entry, access.status.key(EntryCommands.openInBrowser))
        // Releasing an earlier one cancels it.
        rendering = access.read({ _ in EntryArticle.make(entry, browserKey: browserKey) }) { [weak self] article in
            self?.show(article)
        }
    }

    private func show(_ article: ArticleDocument) {
        // The reading position depends on the header, which is only known from the first layout on.
        guard textView.window != nil else {
            prepared = article
            // The bar is laid out before the text.
            reader.addPicturesItem(for: article)
            return textView.setNeedsLayout()
        }
        prepared = nil
        reader.show(article, header: header(minutes: article.minutes), keepsPlace: true)
    }

    /// Shows the text below a new header, which is all that is known before the article is rendered.
    private func renewHeader() {
        guard let article = reader.article else {
            return textView.setParagraphs(header(minutes: nil), keepsPlace: true)
        }
        show(article)
    }

    /// Shows the date in the present time zone.
    package func showDates() { if viewIfLoaded != nil { renewHeader() } }

    private func header(minutes: Int?) -> [TextParagraph] {
        headerHasFeed = needsFeedInHeader
        let facts = EntryArticle.facts(
            author: entry.author == entry.feedTitle ? nil : entry.author, sources: headerHasFeed ? sources : [],
            published: entry.dates.published, minutes: minutes)
        return [TextParagraph(title, .heading), TextParagraph(facts, .secondary), .blank]
    }

    /// The feeds with the same entry, if duplicates are merged.
    private lazy var sources: [String] = {
        guard access.settings[.mergeDuplicates] else { return [entry.feedTitle] }
        let all = access.read([]) { try $0.entries.sources(of: entry.id) }
        return all.count > 1 ? [all.joined(separator: ", ")] : [entry.feedTitle]
    }()

    /// Whether the header names the feed, which the bar does in high panes (row SPL-12).
    private var headerHasFeed = false

    private var needsFeedInHeader: Bool {
        navigationController == nil || traits.vertical < .regular || sources != [entry.feedTitle]
    }

    package override func viewWillLayoutSubviews() {
        if let prepared { return show(prepared) }
        if headerHasFeed != needsFeedInHeader { renewHeader() }
    }

    /// Shows the place of the entry in its list.
    package func showPosition() {
        navigationItem.position = sequence?.position(of: entry.id).map { .position($0.index, of: $0.count) }
    }

    package override func viewWillAppear() {
        showPosition()
        reader.prepare()
        reader.pictures.textDidMove()
    }

    package override func viewDidDisappear() {
        reader.pictures.stop()
        keepPlace()
    }

    /// Stores the reading position, except at the beginning and the end.
    package func keepPlace() {
        guard reader.article != nil else { return }
        let text = textView.place.kept(progress: textView.progress)
        guard text != keptPlace else { return }
        keptPlace = text
        access.changes.submit(.storeReadingPosition(entry.id, text), isOwnStep: false)
    }

    package func releasePictures() { if window == nil { reader.pictures.release() } }

    package func presentDates() {
        PublishDateViewController(entry: entry.id, services).present(over: self, from: dateItem, or: textView)
    }

    /// The stage that the entry is about, if any.
    private lazy var stage: (race: String, number: Int)? = access.read(nil) { try $0.races.stage(about: entry) }

    private func readFullText() {
        guard let link = entry.link else { return }
        navigationController?.push(
            ArticleViewController(title: title, url: link, ownHost: feedHost, of: self, services: services))
    }

    /// The full text of its page in the library.
    var keptFullText: FullText? {
        guard let stored, let html = stored.fullHTML, !html.isEmpty else { return nil }
        return FullText(html: html, date: stored.dates.pageText)
    }

    private func save() {
        guard let article = reader.article else { return }
        let (entry, access) = (entry, access)
        present(
            TextPromptViewController(
                title: "Save article", message: "The path of a .md, .html or .txt file",
                text: "~/\(ArticleFile.name(entry.title)).md",
                validate: { ArticleFile.problem($0).map { DisplayText($0) } }
            ) { path in
                access.tell {
                    let text = ArticleFile.text(
                        path, article, title: entry.title, source: entry.address, html: entry.ownHTML)
                    try UserFile.write(Data(text.utf8), to: path)
                    return "Saved as \(path)."
                }
            })
    }

    private func showChanges() {
        guard let previous = entry.dates.previous else { return }
        navigationController?.push(
            EntryChangesViewController(entry, previous, settings: access.settings))
    }

    private var feedHost: String? {
        access.read(nil) { try $0.feeds.trustedHost(of: entry.subscriptionID) }
    }

    package override var commands: [Command] {
        actions.commands + [
            Command(EntryCommands.fullText, isEnabled: entry.link != nil) { [weak self] in self?.readFullText() },
            Command(EntryCommands.saveArticle, isEnabled: reader.article != nil) { [weak self] in self?.save() },
            Command(EntryCommands.showChanges, isEnabled: entry.dates.previous != nil) { [weak self] in
                self?.showChanges()
            },
            Command(EntryCommands.entryStage, isEnabled: stage != nil) { [weak self] in
                if let self, let stage = self.stage { self.services.router?.showStage(stage.number, of: stage.race) }
            },
        ] + reader.commands
    }
}

extension EntryViewController: EntryActing {
    package var actionEntry: EntryRow? {
        var row = sequence?.knownRow(of: entry.id) ?? access.read(nil) { try $0.entries.row(entry.id) }
        row?.isSpoiler = entry.isSpoiler
        return row
    }

    package func actionLink() -> String? { entry.address }

    package func deleteEntries() {
        let ticket = access.awaitedScreens.add()
        access.changes.submit(.delete(entries: [entry.id], now: access.clock())) { [weak self] receipt in
            ticket.end()
            if receipt.count > 0 { self?.sequence?.didDeleteOpenEntry() }
        }
    }
}
