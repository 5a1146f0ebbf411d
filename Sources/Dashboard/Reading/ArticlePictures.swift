import ArticleRendering
import TerminalUI

/// The pictures of an article in its text: each is loaded when its place comes near, and let go when that is far again.
@MainActor
final class ArticlePictures {
    @MainActor
    private final class Item {
        let image: ArticleImage
        let view = ImageView()
        /// Pixels: those that are remembered, else those that the article tells, else a guess. They are not changed while the
        /// article is shown: its text would jump.
        let size: Size
        var loading: Task<Void, Never>?
        var isLoaded = false
        /// Then no room is kept any more.
        var hasFailed = false

        init(_ image: ArticleImage, _ hint: PictureHint?) {
            self.image = image
            let told = image.size.map { Size(width: $0.width, height: $0.height) }
            size = hint.map { Size(width: $0.width, height: $0.height) } ?? told ?? ArticlePictures.usualSize
            hasFailed = PictureLayout.isOrnament(size)
            view.image = hint?.blurred
            view.isInteractive = false
            view.standsAtLeft = true
        }

        /// Lets the picture go; it is loaded again when its place comes near.
        func release() {
            guard isLoaded else { return }
            isLoaded = false
            view.image = nil
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
    /// What a picture is taken for that nobody tells the size of: three to two.
    private static let usualSize = Size(width: 720, height: 480)

    /// Whether they are wanted here; `nil`: as the setting has it.
    var isWanted: Bool?

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
        let images = isWanted ?? (context.settings[.articlePictures] == "shown") ? article.webImages : []
        self.ownHost = ownHost
        if items.map(\.image) != images {
            stop()
            items = images.map { Item($0, context.pictures.hint(request($0))) }
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
    func release() {
        stop()
        for item in items { item.release() }
    }

    /// After the text has moved: loads what is near and lets go what is far.
    func textDidMove() {
        let height = textView.bounds.height
        guard height > 0 else { return }
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
        item.view.detail = context.imageDetail
        item.loading = Task { [weak self, pictures = context.pictures] in
            try? await Task.sleep(for: ArticlePictures.delay)
            guard !Task.isCancelled else { return }
            let result = await pictures.load(request)
            guard !Task.isCancelled, let self else { return }
            item.loading = nil
            self.take(result, for: item)
        }
    }

    /// A picture that does not come leaves the words that stand for it.
    private func take(_ result: Result<PixelBuffer, PictureProblem>, for item: Item) {
        guard case .success(let picture) = result,
            !PictureLayout.isOrnament(Size(width: picture.width, height: picture.height))
        else {
            item.hasFailed = true
            item.view.image = nil
            place()
            return textDidMove()
        }
        // Small pictures stay small, whatever room there is.
        item.view.most = PictureLayout.most(width: picture.width)
        item.view.image = picture
        item.isLoaded = true
        textDidMove()
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
