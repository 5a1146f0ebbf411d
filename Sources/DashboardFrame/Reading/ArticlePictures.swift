import Articles
import Platform
import TerminalUI

/// The pictures in an article's text. Each is loaded when its place is nearly visible, and released when it is far
/// away.
@MainActor
final class ArticlePictures {
    @MainActor
    private final class Item {
        let image: ArticleImage
        let view = ImageView()
        /// The size in pixels for which the text has space: the stored one, otherwise the article's, otherwise a guess.
        /// It becomes that of a smaller picture once that is entirely below or above the first visible line, so that
        /// the line doesn't move.
        private(set) var size: Size
        /// The size of a loaded picture until its space is decided.
        private(set) var loadedSize: Size?
        var loading: Task<Void, Never>?
        var isLoaded = false
        /// Whether loading failed. A failed picture takes no space.
        var hasFailed = false

        init(_ image: ArticleImage, _ hint: PictureHint?) {
            self.image = image
            let told = image.size.map { Size(width: $0.width, height: $0.height) }
            size = hint.map { Size(width: $0.width, height: $0.height) } ?? told ?? ArticlePictures.usualSize
            hasFailed = PictureLayout.isOrnament(size)
            view.image = hint?.blurred
            view.isInteractive = false
            view.isLeftAligned = true
        }

        /// Shows a loaded picture. Small pictures stay small in any pane.
        func show(_ picture: PixelBuffer) {
            view.maximum = PictureLayout.maximum(width: picture.width)
            view.image = picture
            isLoaded = true
            loadedSize = Size(width: picture.width, height: picture.height)
        }

        /// Returns whether space that the picture doesn't need was given back.
        func returnsSpace(columns: Int, height: Int) -> Bool {
            guard let loadedSize, view.frame.minY >= 0 || view.frame.maxY <= 0 else { return false }
            self.loadedSize = nil
            let rows = { PictureLayout.rows(of: $0, columns: columns, height: height) }
            guard rows(loadedSize) < rows(size) else { return false }
            size = loadedSize
            return true
        }

        /// Releases the picture. It is loaded again when its place is nearly visible.
        func release() {
            guard isLoaded else { return }
            isLoaded = false
            view.image = nil
        }
    }

    private let textView: TextView
    private let services: EntryServices
    private var items: [Item] = []
    private var ownHost: String?
    private var header = 0

    /// The number of pictures to load at the same time.
    private static let jobs = 2
    /// The delay before loading, so that pictures scrolled past are not loaded.
    private static let delay = Duration.milliseconds(300)
    /// The assumed size of a picture of unknown size, with a ratio of three to two.
    private static let usualSize = Size(width: 720, height: 480)

    /// Whether to show pictures here, or `nil` to follow the setting.
    var isWanted: Bool?

    init(in textView: TextView, services: EntryServices) {
        self.textView = textView
        self.services = services
    }

    /// Inserts an article's pictures into the text if pictures are shown.
    ///
    /// - Parameters:
    ///   - header: The number of paragraphs before the article's.
    ///   - ownHost: The host of the feed or page, which alone may be private.
    func show(_ article: ArticleDocument, afterHeaderOf header: Int, ownHost: String?) {
        let images = isWanted ?? (services.access.settings[.articlePictures] == "shown") ? article.webImages : []
        self.ownHost = ownHost
        if items.map(\.image) != images {
            stop()
            items = images.map { Item($0, services.web.pictures.hint(request($0))) }
        }
        self.header = header
        place()
    }

    /// Cancels all loads. They start again when their places are visible.
    func stop() {
        for item in items {
            item.loading?.cancel()
            item.loading = nil
        }
    }

    /// Releases all pictures. Those near the visible part are loaded again after the next movement.
    func release() {
        stop()
        for item in items { item.release() }
    }

    func textDidMove() {
        let height = textView.bounds.height
        guard height > 0 else { return }
        // The text can't change while it is laid out.
        if items.contains(where: { $0.loadedSize != nil }) { Task { [weak self] in self?.returnSpace() } }
        var free = ArticlePictures.jobs - items.count { $0.loading != nil }
        for item in items {
            switch PictureLayout.distance(of: item.view.frame, height: height) {
            case .near:
                guard !item.isLoaded, item.loading == nil, !item.hasFailed, free > 0 else { continue }
                free -= 1
                load(item)
            case .between: break
            case .far: item.release()
            }
        }
    }

    private func request(_ image: ArticleImage) -> PictureRequest { .thumbnail(image.url, ownHost: ownHost) }

    private func load(_ item: Item) {
        let request = request(item.image)
        item.view.detail = services.appearance.imageDetail
        item.loading = Task { [weak self, pictures = services.web.pictures] in
            try? await Clock.sleep(for: ArticlePictures.delay)
            guard !Task.isCancelled else { return }
            let result = await pictures.load(request)
            guard !Task.isCancelled, let self else { return }
            item.loading = nil
            self.take(result, for: item)
        }
    }

    /// Shows a loaded picture, or its description if loading failed.
    private func take(_ result: Result<PixelBuffer, PictureProblem>, for item: Item) {
        guard case .success(let picture) = result,
            !PictureLayout.isOrnament(Size(width: picture.width, height: picture.height))
        else {
            item.hasFailed = true
            item.view.image = nil
            place()
            return textDidMove()
        }
        item.show(picture)
        returnSpace()
        textDidMove()
    }

    /// Removes blank lines below pictures that are smaller than the article says.
    private func returnSpace() {
        let (columns, height) = (items.first?.view.frame.width ?? 0, textView.bounds.height)
        guard columns > 0, items.count(where: { $0.returnsSpace(columns: columns, height: height) }) > 0 else { return }
        place()
    }

    private func place() {
        textView.attachments = items.map { item in
            TextAttachment(paragraph: header + item.image.paragraph, view: item.view) {
                [weak self, weak item] columns in
                guard let self, let item, !item.hasFailed else { return 0 }
                return PictureLayout.rows(of: item.size, columns: columns, height: self.textView.bounds.height)
            }
        }
    }
}
