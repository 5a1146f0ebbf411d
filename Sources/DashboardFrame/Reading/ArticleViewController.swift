import Articles
import Feeds
import ModelCore
import TerminalUI

/// The main content of a web page as text. It is fetched when the view appears; errors are shown in place.
@MainActor
package final class ArticleViewController: ViewController {
    private let services: EntryServices
    private let url: String
    private let ownHost: String?
    private weak var entry: EntryViewController?
    private lazy var reader = ArticleReader(in: self, services) { [weak self] in self?.ownHost }
    private var textView: TextView { reader.textView }
    private let indicator = ActivityIndicator("Loading the page")
    private var loading: Task<Void, Never>?
    private var isLoaded = false
    private var failure: String?
    private let dateItem = BarButtonItem(EntryCommands.publishDate, title: "date", priority: 3)

    /// - Parameters:
    ///   - ownHost: The host that linked to the page, which alone may be private.
    ///   - entry: The entry that links to the page. Its commands are available here too.
    package init(
        title: DisplayText, url: String, ownHost: String?, of entry: EntryViewController? = nil,
        services: EntryServices
    ) {
        self.entry = entry
        self.url = url
        self.ownHost = ownHost
        self.services = services
        super.init()
        self.title = title
    }

    /// The page is being loaded.
    package override var awaitsContent: Bool { !isLoaded && failure == nil }

    package override func viewDidLoad() {
        for subview in [textView, indicator] { view.addSubview(subview) }
        toolbarItems = [
            BarButtonItem(TextCommands.pageDown, title: "page", priority: 1),
            BarButtonItem(EntryCommands.openInBrowser, title: "browser", priority: 2), dateItem,
        ]
        reader.prepare()
        textView.onScroll = { [weak self] in
            guard let self else { return }
            self.navigationItem.progress = self.textView.readingProgress
            self.showTitle()
            self.reader.pictures.textDidMove()
        }
        load()
    }

    package override func viewWillLayoutSubviews() {
        textView.frame = view.bounds
        indicator.frame = Rect(x: 1, y: 1, width: max(0, view.bounds.width - 2), height: 1)
    }

    package override func viewWillAppear() { reader.pictures.textDidMove() }

    private func load() {
        failure = nil
        if let kept = entry?.keptFullText {
            loading = Task { [weak self] in await self?.show(kept) }
            return
        }
        textView.setParagraphs([])
        indicator.start()
        let (pages, url, ownHost) = (services.web.pages, url, ownHost)
        loading = Task { [weak self] in
            do throws(PageService.Failure) {
                let text = try await pages.fullText(url, ownHost: ownHost)
                self?.keep(text)
                await self?.show(text)
            } catch {
                self?.show(failure: error.description)
            }
        }
    }

    /// Stores the text with its entry, so that it can be searched and read offline.
    private func keep(_ text: FullText) {
        guard let entry else { return }
        let (changes, status, id) = (services.access.library.changes, services.access.status, entry.entryID)
        Task { await status.attempt { _ = try await changes.perform(StoreFullText(text, of: id)) } }
    }

    private func show(_ text: FullText) async {
        let (html, url) = (text.html, url)
        let article = html.isEmpty ? nil : await Task.detached { HTMLRenderer.render(html, base: url) }.value
        show(article, text.date.map { WrittenDate($0) })
    }

    private func show(_ article: ArticleDocument?, _ date: WrittenDate?) {
        indicator.stop()
        services.web.articleDates[url] = date
        guard let article, !article.paragraphs.isEmpty else {
            return show(failure: "No article found on this page.")
        }
        isLoaded = true
        let host = TrustedHost.of(url) ?? url
        let day = (date?.instant).map { " · " + DateText.longDay($0) } ?? ""
        // The source of the text is shown with it (row STA-08).
        let heading = [
            TextParagraph(title, .heading),
            TextParagraph(DisplayText("\(host) · \(EntryArticle.readingTime(article.minutes))") + day, .secondary),
            .blank,
        ]
        reader.show(article, header: heading, keepsPlace: false)
    }

    /// Shows the title in the bar once it was scrolled away.
    private func showTitle() {
        let isOnPage = isLoaded && textView.firstVisibleParagraph == 0
        navigationItem.titleOverContent = isOnPage ? (entry == nil ? "Article" : "Full text") : nil
    }

    private func show(failure sentence: String) {
        indicator.stop()
        failure = sentence
        textView.setParagraphs([
            TextParagraph(DisplayText(sentence), .failure), .blank,
            TextParagraph(
                DisplayText(
                    "\(services.access.status.key(EntryCommands.retryPage)) retries, \(services.access.status.key(EntryCommands.openInBrowser)) opens the page in the browser."
                ), .secondary),
        ])
    }

    package override func viewDidDisappear() {
        // The page is no longer needed if the view was closed before it arrived.
        if !isLoaded, parent == nil { loading?.cancel() }
        reader.pictures.stop()
    }

    private func presentDate() {
        PublishDateViewController(articleAt: url, services).present(over: self, from: dateItem, or: view)
    }

    package override var commands: [Command] {
        let ofEntry = entry.map { EntryActions($0, services).commandsExceptPage } ?? []
        return [
            Command(EntryCommands.publishDate, isEnabled: isLoaded) { [weak self] in self?.presentDate() },
            Command(EntryCommands.retryPage, isEnabled: failure != nil) { [weak self] in self?.load() },
            Command(EntryCommands.openInBrowser) { [services, url] in services.web.openLink(url) },
            Command(EntryCommands.copyLink) { [weak self] in
                if let self { self.services.access.status.copy(self.url, from: self) }
            },
        ] + ofEntry + reader.commands
    }
}
