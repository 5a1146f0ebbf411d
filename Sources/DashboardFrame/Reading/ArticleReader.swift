import Articles
import Feeds
import ModelCore
import TerminalUI
import WebAddresses

/// Shows an article in a text view, with collapsible parts, links and pictures.
@MainActor
final class ArticleReader {
    let textView = TextView()
    private(set) var article: ArticleDocument?
    private let services: EntryServices
    private var access: LibraryAccess { services.access }
    private unowned let controller: ViewController
    private let ownHost: @MainActor () -> String?
    private(set) lazy var pictures = ArticlePictures(in: textView, services: services)
    private var header: [TextParagraph] = []
    private var openParts: Set<Int> = []
    /// The article without collapsed parts.
    private var shown: ArticleDocument? { didSet { plainAddresses.removeAll() } }
    /// The addresses of links that were drawn, `nil` for those that need a warning.
    private var plainAddresses: [Int32: String?] = [:]

    /// - Parameter ownHost: The host of the feed or page, which alone may be private.
    init(
        in controller: ViewController, _ services: EntryServices, ownHost: @escaping @MainActor () -> String?
    ) {
        self.controller = controller
        self.services = services
        self.ownHost = ownHost
        textView.onFollow = { [weak self] link, isOther in self?.follow(link, isOther: isOther) }
        textView.links.hasDigits = { [access] in access.settings[.digits] == "links" }
        textView.addressOfLink = { [weak self] link in self?.plainAddress(of: link) }
    }

    /// Configures the text view for long texts, with a progress line.
    func prepare() {
        textView.prepareForReading(access.settings)
        controller.navigationItem.showsProgress = true
    }

    func show(_ article: ArticleDocument, header: [TextParagraph], keepsPlace: Bool) {
        if self.article?.details != article.details {
            openParts = Set(article.details.indices.filter { article.details[$0].isOpen })
        }
        self.article = article
        self.header = header
        present(keepsPlace: keepsPlace)
        addPicturesItem(for: article)
    }

    private func present(keepsPlace: Bool) {
        guard let article else { return }
        let folded = article.folded(open: openParts)
        shown = folded
        var paragraphs = header + folded.paragraphsWithLinks
        if textView.traits.capabilities.strikesText, !access.settings[.linear] {
            paragraphs = paragraphs.map(\.withoutDeletionSigns)
        }
        let place = keepsPlace ? textView.place.inLaterVersion(of: textView.paragraphs, paragraphs) : .start
        textView.setParagraphs(paragraphs, keepsPlace: keepsPlace)
        if keepsPlace { textView.restore(place) }
        pictures.show(folded, afterHeaderOf: header.count, ownHost: folded.images.isEmpty ? nil : ownHost())
    }

    // MARK: Commands

    var commands: [Command] {
        let hasLinks = article?.hasTargets ?? false
        return [
            Command(EntryCommands.followLink, isEnabled: hasLinks) { [weak self] in
                guard let self, !self.textView.showLinkHints() else { return }
                self.access.status.show("No visible links.")
            },
            Command(EntryCommands.openLink, isEnabled: !(article?.links.isEmpty ?? true)) { [weak self] in
                self?.askForLink()
            },
            Command(EntryCommands.showPictures, isEnabled: !(article?.webImages.isEmpty ?? true)) { [weak self] in
                self?.showPictures()
            },
        ]
    }

    /// Adds a toolbar item for the pictures of an article, if it has any.
    func addPicturesItem(for article: ArticleDocument) {
        guard !article.webImages.isEmpty,
            !controller.toolbarItems.contains(where: { $0.definition == EntryCommands.showPictures })
        else { return }
        let item = BarButtonItem(EntryCommands.showPictures, title: "pictures", priority: 1)
        let items = controller.toolbarItems
        controller.toolbarItems.insert(
            item, at: items.firstIndex { $0.kind == .flexibleSpace } ?? items.endIndex)
    }

    private func showPictures() {
        guard let images = article?.webImages, !images.isEmpty else { return }
        controller.navigationController?.push(PictureViewController(images, ownHost: ownHost(), services: services))
    }

    private func askForLink() {
        guard let article else { return }
        controller.present(
            TextPromptViewController(
                title: "Follow link", message: DisplayText("The number of a link, 1 to \(article.links.count)")
            ) { [weak self] text in
                guard let self, let article = self.article else { return }
                guard let number = Int(text), let link = article.links.first(where: { $0.number == number }) else {
                    return self.access.status.show(failure: "No link has that number.")
                }
                self.follow(Int32(link.number), isOther: false)
            })
    }

    // MARK: Links

    private func follow(_ link: Int32, isOther: Bool) {
        switch shown?.target(link) {
        case .paragraph(let paragraph): goTo(paragraph, link)
        case .details(let part):
            if openParts.remove(part) == nil { openParts.insert(part) }
            present(keepsPlace: true)
        case .link(let link): askAndFollow(link, isOther: isOther)
        case nil: break
        }
    }

    /// Scrolls to a place in the article and expands the parts around it.
    private func goTo(_ paragraph: Int, _ link: Int32) {
        guard let article, case .paragraph(let own) = article.target(link) else { return }
        let closed = article.parts(around: own).filter { !openParts.contains($0) }
        guard !closed.isEmpty else { return textView.jump(toParagraph: header.count + paragraph) }
        openParts.formUnion(closed)
        present(keepsPlace: true)
        guard case .paragraph(let moved) = shown?.target(link) else { return }
        textView.jump(toParagraph: header.count + moved)
    }

    /// Returns the address of a link that needs no warning.
    private func plainAddress(of link: Int32) -> String? {
        if let known = plainAddresses[link] { return known }
        var address: String?
        if case .link(let link) = shown?.target(link), LinkCaution(words: link.text.string, url: link.url) == nil {
            address = link.url
        }
        plainAddresses[link] = .some(address)
        return address
    }

    /// Follows a link. If its text is misleading, or it isn't a web link, asks first.
    private func askAndFollow(_ link: ArticleLink, isOther: Bool) {
        guard let caution = LinkCaution(words: link.text.string, url: link.url) else {
            return follow(link, isOther: isOther)
        }
        // The host is on a line of its own, apart from the rest of the address.
        let parts = caution.host.isEmpty ? [link.url] : [caution.host, link.url]
        let alert = AlertController(
            title: "Open this link?", message: DisplayText(caution.reason), confirm: "Open"
        ) { [weak self] in self?.follow(link, isOther: isOther) }
        alert.details = parts.map { DisplayText($0) }
        controller.present(alert)
    }

    /// Opens a web page here or in the browser, as set. Entries and stages in the library open from there.
    private func follow(_ link: ArticleLink, isOther: Bool) {
        let navigation = controller.navigationController
        let way = LinkDestination.destination(
            setting: access.settings[.links], isOther: isOther,
            mayBePage: navigation != nil && PageService.mayBePage(link.url),
            stage: access.read(nil) { try $0.races.stage(withArticleAt: link.url) },
            entry: access.read(nil) { try $0.entries.id(ofPageAt: link.url) },
            shown: (controller as? EntryViewController)?.entryID)
        switch way {
        case .browser: services.web.openLink(link.url)
        case .stage(let race, let number): services.router?.showStage(number, of: race)
        case .entry(let id):
            guard let entry = access.read(nil, { try $0.entries.detail(of: id) }) else { return }
            navigation?.push(EntryViewController(entry: entry, services: services))
        case .page:
            let title = link.text.isEmpty ? DisplayText(TrustedHost.of(link.url) ?? link.url) : link.text
            navigation?.push(ArticleViewController(title: title, url: link.url, ownHost: nil, services: services))
        }
    }
}

extension TextView {
    /// Configures the view for long texts, centred and with a readable width.
    func prepareForReading(_ settings: Settings) {
        maximumColumns = settings[.articleWidth]
        isCentered = true
    }
}

extension ArticleDocument {
    /// The pictures with web addresses.
    var webImages: [ArticleImage] { images.filter { WebAddress.isWeb($0.url) } }
}
