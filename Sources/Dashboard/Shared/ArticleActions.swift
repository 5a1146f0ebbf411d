import ArticleRendering
import ModelCore
import TerminalUI

/// What can be done with an article that is shown: its links opened, its pictures looked at.
extension ViewController {
    /// The look of a long text: as wide as one reads well, in the middle, with a line that shows how far one is.
    func prepareForReading(_ textView: TextView, _ context: DashboardContext) {
        textView.maximumColumns = context.settings[.measure]
        textView.isCentered = true
        navigationItem.showsProgress = true
    }

    /// The commands.
    ///
    /// - Parameter ownHost: The host of the feed or the page; it alone may be a private one.
    func commands(
        for article: ArticleDocument?, ownHost: @escaping @MainActor () -> String?, context: DashboardContext
    ) -> [Command] {
        [
            Command(.openLink, isEnabled: !(article?.links.isEmpty ?? true)) { [weak self] in
                self?.askForLink(of: article, context: context)
            },
            Command(.showPictures, isEnabled: !(article?.webImages.isEmpty ?? true)) { [weak self] in
                self?.showPictures(of: article, ownHost: ownHost(), context: context)
            },
        ]
    }

    /// Puts a button for the pictures before the toolbar's space, if the article has some.
    func addPicturesItem(for article: ArticleDocument) {
        guard !article.webImages.isEmpty, !toolbarItems.contains(where: { $0.definition == .showPictures }) else {
            return
        }
        let item = BarButtonItem(.showPictures, title: "pictures", priority: 1)
        toolbarItems.insert(item, at: toolbarItems.firstIndex { $0.kind == .flexibleSpace } ?? toolbarItems.endIndex)
    }

    private func showPictures(of article: ArticleDocument?, ownHost: String?, context: DashboardContext) {
        guard let images = article?.webImages, !images.isEmpty else { return }
        navigationController?.push(PictureViewController(images, ownHost: ownHost, context: context))
    }

    private func askForLink(of article: ArticleDocument?, context: DashboardContext) {
        guard let article else { return }
        present(
            TextPromptViewController(
                title: "Open a link", message: DisplayText("The number of a link, 1 to \(article.links.count)")
            ) { [weak self] text in
                guard let number = Int(text), let link = article.links.first(where: { $0.number == number }) else {
                    return context.status.show(failure: "There is no link of that number.")
                }
                self?.open(link, context: context)
            })
    }

    /// Opens a link; where its words promise something else, or it is no page of the web, that is told first.
    private func open(_ link: ArticleLink, context: DashboardContext) {
        guard let caution = LinkCaution(words: link.text.string, url: link.url) else {
            return context.openLink(link.url)
        }
        // The host stands alone on its line, apart from what its address says else.
        let parts = caution.host.isEmpty ? [link.url] : [caution.host, link.url]
        let alert = AlertController(title: "Open this link?", message: DisplayText(caution.reason))
        alert.details = parts.map { DisplayText($0) }
        alert.actions = [
            AlertAction("Cancel", role: .cancel),
            AlertAction("Open", role: .destructive) { context.openLink(link.url) },
        ]
        present(alert)
    }
}

extension ArticleDocument {
    /// The pictures that can be fetched.
    var webImages: [ArticleImage] { images.filter { $0.url.hasPrefix("http") } }
}
