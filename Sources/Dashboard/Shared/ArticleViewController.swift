import ArticleRendering
import ModelCore
import TerminalUI

/// A page's main content as text to read: fetched when it is shown, said in place when there is none.
@MainActor
final class ArticleViewController: ViewController {
    private let context: DashboardContext
    private let url: String
    private let ownHost: String?
    private let textView = TextView()
    private let indicator = ActivityIndicator("Fetching the page")
    private var loading: Task<Void, Never>?
    private var isLoaded = false
    private var failure: String?
    private var article: ArticleDocument?
    private lazy var pictures = ArticlePictures(in: textView, context: context)
    private lazy var dateItem = BarButtonItem("Publish Date", key: "p", priority: 3) { [weak self] in
        self?.presentDate()
    }

    /// - Parameter ownHost: The host that named the page; it alone may be a private one.
    init(title: DisplayText, url: String, ownHost: String?, context: DashboardContext) {
        self.url = url
        self.ownHost = ownHost
        self.context = context
        super.init()
        self.title = title
    }

    private final class PageView: View {
        var place: () -> Void = {}
        override func layoutSubviews() { place() }
    }

    override func makeView() -> View { PageView() }

    override func viewDidLoad() {
        for subview in [textView, indicator] { view.addSubview(subview) }
        (view as? PageView)?.place = { [weak self] in
            guard let self else { return }
            self.textView.frame = self.view.bounds
            self.indicator.frame = Rect(x: 1, y: 1, width: max(0, self.view.bounds.width - 2), height: 1)
        }
        toolbarItems = [
            BarButtonItem("page", key: "space", priority: 1) { [weak self] in
                self?.textView.scroll(by: (self?.textView.bounds.height ?? 2) - 1)
            },
            BarButtonItem("browser", key: "o", priority: 2) { [weak self] in self?.openInBrowser() }, .flexibleSpace(),
            helpItem(priority: 0),
        ]
        textView.onScroll = { [weak self] in self?.pictures.textDidMove() }
        load()
    }

    override func viewWillAppear() { pictures.textDidMove() }

    private func load() {
        failure = nil
        textView.setParagraphs([])
        indicator.start()
        let (pages, url, ownHost) = (context.pages, url, ownHost)
        loading = Task { [weak self] in
            let result: Result<FetchedPage, PageService.Failure>
            do throws(PageService.Failure) {
                result = .success(try await pages.fetch(url, ownHost: ownHost))
            } catch {
                result = .failure(error)
            }
            switch result {
            case .success(let page):
                let (article, date) = await Task.detached {
                    let read = ArticlePage(html: page.html)
                    return (
                        read.content.map { HTMLRenderer.render($0, base: page.url) }, read.date.map { WrittenDate($0) }
                    )
                }.value
                self?.show(article, date, from: page.url)
            case .failure(let failure): self?.show(failure: failure.description)
            }
        }
    }

    private func show(_ article: ArticleDocument?, _ date: WrittenDate?, from address: String) {
        indicator.stop()
        context.articleDates[url] = date
        guard let article, !article.paragraphs.isEmpty else {
            return show(failure: "The page gives no article that can be read here.")
        }
        isLoaded = true
        navigationItem.rightBarButtonItems = [dateItem]
        self.article = article
        let host = PageService.host(address) ?? address
        let day = (date?.instant).map { " · " + DateText.longDay($0) } ?? ""
        // Whose the text is stands with it (row STA-08).
        let heading = [
            TextParagraph(title, .heading),
            TextParagraph(DisplayText("\(host) · \(article.minutes) min") + day, .secondary), .blank,
        ]
        textView.setParagraphs(heading + article.paragraphsWithLinks)
        pictures.show(article, afterHeaderOf: heading.count, ownHost: ownHost)
        addPicturesItem(for: article, ownHost: { [weak self] in self?.ownHost }, context: context)
    }

    private func show(failure sentence: String) {
        indicator.stop()
        failure = sentence
        textView.setParagraphs([
            TextParagraph(DisplayText(sentence), .failure), .blank,
            TextParagraph("r tries again, o opens the page in the browser.", .secondary),
        ])
    }

    override func viewDidDisappear() {
        // A page that is not waited for need not come.
        if !isLoaded, parent == nil { loading?.cancel() }
        pictures.stop()
    }

    private func presentDate() {
        let dates = PublishDateViewController(article: context.articleDates[url], text: context.dates)
        presentDates(dates, from: dateItem, or: view)
    }

    private func openInBrowser() { context.openLink(url) }

    override var commands: [Command] {
        [
            Command("article.publishDate", "Publish Date", keys: ["p"], isEnabled: isLoaded) { [weak self] in
                self?.presentDate()
            },
            Command("article.retry", "Try again", keys: ["r"], isEnabled: failure != nil) { [weak self] in self?.load()
            },
            Command("article.browser", "Open in the browser", keys: ["o"]) { [weak self] in self?.openInBrowser() },
            Command("article.copyLink", "Copy the link", keys: ["y"]) { [weak self] in
                guard let self else { return }
                self.window?.copyToClipboard(self.url)
                self.context.status.show("Link copied.")
            },
        ] + commands(for: article, kind: "article", ownHost: { [weak self] in self?.ownHost }, context: context)
    }
}
