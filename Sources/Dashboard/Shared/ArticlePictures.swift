import ArticleRendering
import Pictures
import TerminalUI

/// The pictures of an article in its text: each is loaded when its place comes near, and let go when that is far again.
@MainActor
final class ArticlePictures {
    @MainActor
    private final class Item {
        let image: ArticleImage
        let view = ImageView()
        /// Pixels, once they are known.
        var size: Size?
        var loading: Task<Void, Never>?
        var hasFailed = false

        init(_ image: ArticleImage) {
            self.image = image
            view.isInteractive = false
            view.standsAtLeft = true
        }
    }

    private let textView: TextView
    private let context: DashboardContext
    private var items: [Item] = []
    private var ownHost: String?
    private var header = 0

    /// Pictures that are loaded at the same time.
    private static let jobs = 2
    /// What is only passed by needs no pictures.
    private static let delay = Duration.milliseconds(300)
    /// Pixels that a column shows at least: small pictures stay small.
    private static let pixelsOfColumn = 8
    /// Smaller ones, in pixels, are ornaments.
    private static let smallest = 16
    private static let mostRows = 20

    init(in textView: TextView, context: DashboardContext) {
        self.textView = textView
        self.context = context
    }

    /// Puts an article's pictures into the text, if they are wanted.
    ///
    /// - Parameters:
    ///   - header: Paragraphs of the text before the article's.
    ///   - ownHost: The host of the feed or the page; it alone may be a private one.
    func show(_ article: ArticleDocument, afterHeaderOf header: Int, ownHost: String?) {
        let images = context.settings[.articlePictures] == "shown" ? article.webImages : []
        self.ownHost = ownHost
        if items.map(\.image) != images {
            stop()
            items = images.map(Item.init)
        }
        self.header = header
        place()
    }

    /// Ends all loads; they begin again when their places are seen again.
    func stop() {
        for item in items {
            item.loading?.cancel()
            item.loading = nil
        }
    }

    /// Lets all pictures go; their places stay, and those near what is seen come back with the next movement.
    func letGo() {
        stop()
        for item in items { item.view.image = nil }
    }

    /// After the text has moved: loads what is near and lets go what is far.
    func textDidMove() {
        let height = textView.bounds.height
        guard height > 0 else { return }
        var free = ArticlePictures.jobs - items.count { $0.loading != nil }
        for item in items {
            let frame = item.view.frame
            let isNear = frame.maxY >= -height && frame.minY <= 2 * height
            if isNear, item.view.image == nil, item.loading == nil, !item.hasFailed, free > 0 {
                free -= 1
                load(item)
            } else if frame.maxY < -4 * height || frame.minY > 5 * height {
                item.view.image = nil
            }
        }
    }

    private func load(_ item: Item) {
        let request = PictureRequest.thumbnail(item.image.url, ownHost: ownHost)
        item.view.detail = context.imageDetail
        item.loading = Task { [weak self, load = context.loadPicture] in
            try? await Task.sleep(for: ArticlePictures.delay)
            guard !Task.isCancelled else { return }
            let result = await load(request)
            guard !Task.isCancelled, let self else { return }
            item.loading = nil
            self.take(result, for: item)
        }
    }

    /// A picture that does not come leaves the words that stand for it.
    private func take(_ result: Result<Picture, PictureProblem>, for item: Item) {
        guard case .success(let picture) = result,
            min(picture.width, picture.height) >= ArticlePictures.smallest
        else {
            item.hasFailed = true
            return textDidMove()
        }
        item.view.image = PixelBuffer(picture)
        let size = Size(width: picture.width, height: picture.height)
        if item.size != size {
            item.size = size
            place()
        }
        textDidMove()
    }

    private func place() {
        textView.attachments = items.map { item in
            TextAttachment(paragraph: header + item.image.paragraph, view: item.view) {
                [weak self, weak item] columns in
                guard let self, let size = item?.size else { return 0 }
                return self.rows(of: size, columns: columns)
            }
        }
    }

    /// Lines for a picture: a cell is twice as high as wide.
    private func rows(of size: Size, columns: Int) -> Int {
        let width = min(columns, max(1, size.width / ArticlePictures.pixelsOfColumn))
        let rows = (width * size.height + 2 * size.width - 1) / (2 * size.width)
        return max(1, min(rows, ArticlePictures.mostRows, max(3, textView.bounds.height - 2)))
    }
}
