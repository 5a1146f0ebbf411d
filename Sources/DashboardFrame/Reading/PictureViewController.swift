import Articles
import Feeds
import TerminalUI

/// The pictures of an article, one at a time.
@MainActor
final class PictureViewController: ViewController {
    private let services: EntryServices
    private let images: [ArticleImage]
    private let ownHost: String?
    private let picture = LoadedPictureView(retry: ProgramCommands.reloadPicture)
    private var index = 0

    /// - Parameter ownHost: The host of the feed or page that contains the pictures, which alone may be private.
    init(_ images: [ArticleImage], ownHost: String?, services: EntryServices) {
        self.images = images
        self.ownHost = ownHost
        self.services = services
        super.init()
        showTitle()
    }

    override func makeView() -> View { picture }

    override func viewDidLoad() {
        let others = [
            BarButtonItem(ProgramCommands.nextPicture, title: "next", priority: 2),
            BarButtonItem(ProgramCommands.previousPicture, title: "before", priority: 1),
        ]
        toolbarItems =
            (images.count > 1 ? others : []) + [
                BarButtonItem(ProgramCommands.pictureBrowser, title: "browser", priority: 0)
            ]
        picture.didLoad = { [weak self] in
            // Only a loaded picture accepts keys.
            guard let self, self.window?.focusedController === self else { return }
            self.window?.focus(self.picture.image)
        }
    }

    override func viewWillAppear() { if picture.isDue { load() } }

    override func viewDidDisappear() { picture.cancel() }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        if window == nil { picture.forget() }
    }

    private func showTitle() {
        let place = images.count > 1 ? DisplayText("\(index + 1)/\(images.count) ") : .empty
        let words = images[index].description
        title = place + (words.isEmpty ? "Picture" : words)
        navigationItem.backTitle = "Picture"
    }

    private func load() {
        let url = images[index].url
        picture.load(
            .address(url, ownHost: ownHost), credit: DisplayText("From \(TrustedHost.of(url) ?? url)"),
            before: picture.shown, after: .zero, by: services)
    }

    private func turn(_ step: Int) {
        index = (index + step + images.count) % images.count
        showTitle()
        picture.image.fit()
        load()
    }

    private func openInBrowser() { services.web.openLink(images[index].url) }

    override var commands: [Command] {
        [
            Command(ProgramCommands.nextPicture, isEnabled: images.count > 1) { [weak self] in self?.turn(1) },
            Command(ProgramCommands.previousPicture, isEnabled: images.count > 1) { [weak self] in self?.turn(-1) },
            Command(ProgramCommands.reloadPicture, isEnabled: picture.hasFailed) { [weak self] in self?.load() },
            Command(ProgramCommands.pictureBrowser) { [weak self] in self?.openInBrowser() },
        ]
    }
}
