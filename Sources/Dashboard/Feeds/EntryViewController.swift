import ArticleRendering
import ModelCore
import TerminalUI

/// One entry as text to read.
@MainActor
final class EntryViewController: ViewController, RowDetail {
    private let context: DashboardContext
    private let entry: EntryDetail
    private let textView = TextView()
    private var article: ArticleDocument?
    private lazy var pictures = ArticlePictures(in: textView, context: context)
    private var rendering: Task<Void, Never>?
    private let positionItem = BarButtonItem.label("    ", priority: 0)
    private lazy var dateItem = BarButtonItem("Publish Date", key: "p", priority: 4) { [weak self] in
        self?.presentDates()
    }
    /// The list that the entry was opened from.
    weak var list: EntryListViewController?

    init(entry: EntryDetail, context: DashboardContext) {
        self.entry = entry
        self.context = context
        super.init()
        title = DisplayText(entry.title)
    }

    var entryID: Int64 { entry.id }

    /// The line being read.
    var place: TextView.Place { textView.place }

    /// Goes to the line that was read in an earlier run.
    func restore(_ place: TextView.Place) {
        _ = view
        textView.restore(place)
    }

    override func makeView() -> View { textView }

    override func viewDidLoad() {
        toolbarItems = [
            BarButtonItem("page", key: "space", priority: 0) { [weak self] in
                self?.textView.scroll(by: (self?.textView.bounds.height ?? 2) - 1)
            },
            BarButtonItem("next", key: "n", priority: 3) { [weak self] in self?.list?.openNextUnread() },
            BarButtonItem("browser", key: "o", priority: 1) { [weak self] in self?.openInBrowser() }, .flexibleSpace(),
            dateItem,
            helpItem(priority: 2),
            positionItem,
        ]
        textView.onScroll = { [weak self] in
            self?.showPosition()
            self?.pictures.textDidMove()
        }
        textView.setParagraphs(header(minutes: nil))
        render()
    }

    /// Renders the content away from the main thread: articles may be long.
    private func render() {
        let entry = entry
        rendering = Task { [weak self] in
            let article = await Task.detached { EntryArticle.make(entry) }.value
            self?.show(article)
        }
    }

    private func show(_ article: ArticleDocument) {
        self.article = article
        showedHeading = showsHeading
        let header = header(minutes: article.minutes)
        textView.setParagraphs(header + article.paragraphsWithLinks, keepsPlace: true)
        pictures.show(article, afterHeaderOf: header.count, ownHost: article.images.isEmpty ? nil : feedHost)
        addPicturesItem(for: article, ownHost: { [weak self] in self?.feedHost }, context: context)
    }

    private func header(minutes: Int?) -> [TextParagraph] {
        var facts = [entry.author].compactMap { $0 } + sources
        if let published = entry.dates.published { facts.append(DateText.dayAndTime(published).string) }
        if let minutes { facts.append("\(minutes) min") }
        let heading = showsHeading ? [TextParagraph(title, .heading)] : []
        return heading + [
            TextParagraph(DisplayText(facts.joined(separator: " · ")), .secondary), .blank,
        ]
    }

    /// The feeds that have this story, where stories are folded.
    private lazy var sources: [String] = {
        guard context.library.foldsStories else { return [entry.feedTitle] }
        let all = context.read([]) { try $0.sources(of: entry.id) }
        return all.count > 1 ? [all.joined(separator: ", ")] : [entry.feedTitle]
    }()

    /// The bar has the title already, unless it is cut there.
    private var showsHeading: Bool { titleIsCut(over: textView) }
    private var showedHeading = true

    override func viewWillLayoutSubviews() {
        guard let article, showsHeading != showedHeading else { return }
        show(article)
    }

    override func viewWillAppear() { pictures.textDidMove() }

    override func viewDidDisappear() { pictures.stop() }

    func letGoPictures() {
        if window == nil { pictures.letGo() }
    }

    private func showPosition() {
        let percent = textView.progress.map { Int($0 * 100) }
        let text = percent.map { "\($0) %" } ?? ""
        positionItem.title = .blanks(5 - text.count) + DisplayText(text)
    }

    private func presentDates() {
        let dates = context.read(entry.dates) { try $0.entry(entry.id)?.dates ?? entry.dates }
        presentDates(PublishDateViewController(dates, text: context.dates), from: dateItem, or: textView)
    }

    /// The stage that the entry is about, if any.
    private lazy var stage: (race: String, number: Int)? = context.read(nil) { try $0.stage(about: entry) }

    private func readFullText() {
        guard let link = entry.link else { return }
        navigationController?.push(
            ArticleViewController(title: title, url: link, ownHost: feedHost, context: context))
    }

    private var feedHost: String? {
        context.read(nil) { try $0.subscription(entry.subscriptionID)?.url }.flatMap { PageService.host($0) }
    }

    private func openInBrowser() { context.openLink(entry.address) }

    private func toggle(_ mark: EntryMark, _ row: EntryRow) {
        context.toggle(mark, of: row, in: [row.id])
    }

    private func delete() {
        context.changes.submit(.delete(entries: [entry.id], now: context.clock())) { [weak self] receipt in
            if receipt.count > 0 { self?.list?.didDeleteOpenEntry() }
        }
    }

    override var commands: [Command] {
        let row = list?.row(of: entry.id) ?? context.read(nil) { try $0.entryRow(entry.id) }
        return [
            Command("entry.nextUnread", "Next unread", keys: ["n"], isEnabled: list != nil) { [weak self] in
                self?.list?.openNextUnread()
            },
            Command("entry.previous", "Previous entry", keys: ["["], isEnabled: list != nil, worksFromList: true) {
                [weak self] in
                self?.list?.openNeighbour(-1)
            },
            Command("entry.next", "Next entry", keys: ["]"], isEnabled: list != nil, worksFromList: true) {
                [weak self] in
                self?.list?.openNeighbour(1)
            },
            Command("entry.publishDate", "Publish Date", keys: ["p"]) { [weak self] in self?.presentDates() },
            Command(
                "entry.fullText", "Full text of the page", keys: ["F"], isEnabled: entry.link != nil,
                worksFromList: true
            ) {
                [weak self] in
                self?.readFullText()
            },
            Command(
                "entry.stage", "Go to the stage it is about", keys: ["E"], isEnabled: stage != nil, worksFromList: true
            ) { [weak self] in
                if let self, let stage = self.stage { self.context.goToStage(stage.race, stage.number) }
            },
            Command("entry.browser", "Open in the browser", keys: ["o"]) { [weak self] in self?.openInBrowser() },
            Command("entry.toggleRead", row?.isRead == true ? "Mark unread" : "Mark read", keys: ["m"]) { [weak self] in
                if let row { self?.toggle(.read, row) }
            },
            Command("entry.toggleStar", row?.isStarred == true ? "Take the star" : "Star", keys: ["s"]) { [weak self] in
                if let row { self?.toggle(.starred, row) }
            },
            Command("entry.toggleLater", row?.isLater == true ? "Not for later" : "Read later", keys: ["w"]) {
                [weak self] in
                if let row { self?.toggle(.later, row) }
            },
            Command("entry.delete", "Delete", keys: ["d"]) { [weak self] in self?.delete() },
            Command("entry.markAllRead", "Mark all of this list read", keys: ["A"], isEnabled: list != nil) {
                [weak self] in
                if let self, let list = self.list { self.context.markAllRead(in: list.scope) }
            },
            Command(
                "entry.copyLink", "Copy the link", keys: ["y"], isEnabled: entry.address != nil, worksFromList: true
            ) {
                [weak self] in
                guard let self, let link = self.entry.address else { return }
                self.window?.copyToClipboard(link)
                self.context.status.show("Link copied.")
            },
        ] + commands(for: article, kind: "entry", ownHost: { [weak self] in self?.feedHost }, context: context)
    }
}
