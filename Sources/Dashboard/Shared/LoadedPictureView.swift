import Pictures
import TerminalUI

/// A picture that is loaded when it is needed, with what is to be said about it: that it is awaited, why it is not there,
/// whose it is.
@MainActor
final class LoadedPictureView: View {
    let image = ImageView()
    /// What is seen until the picture has come: the one before it, or a few of its colours.
    private let standIn = ImageView()
    private let retry: CommandDefinition
    private let indicator = ActivityIndicator("Loading the picture")
    private var message: DisplayText = .empty
    private var credit: DisplayText = .empty
    private var loading: Task<Void, Never>?
    /// Whether the picture is here, and the terminal is being given it while another stands in.
    private enum Preparation { case none, due, begun }
    private var preparation = Preparation.none
    /// The request that was made last, also after its picture was let go.
    private(set) var request: PictureRequest?
    /// Whether the picture has to be asked for, for the first time or again.
    private(set) var isDue = true
    /// Whether that one has failed.
    var hasFailed: Bool { !message.isEmpty }
    /// Called when a picture has come.
    var didLoad: () -> Void = {}

    /// - Parameter retry: The command that asks for a picture again that has failed.
    init(retry: CommandDefinition) {
        self.retry = retry
        super.init()
        standIn.isInteractive = false
        addSubview(standIn)
        addSubview(image)
        addSubview(indicator)
    }

    /// Whether a picture is shown or awaited, or its absence told: then it needs room.
    var hasContent: Bool { image.image != nil || indicator.isAnimating || !message.isEmpty }

    /// What is on the screen, to stand in for the next.
    var shown: PixelBuffer? { preparation == .none ? image.image ?? standIn.image : standIn.image }

    /// Loads a picture; one that is in memory is there at once.
    ///
    /// - Parameters:
    ///   - credit: Whose it is (row STA-08).
    ///   - before: The picture that is on the screen now, and stays there until this one has come.
    ///   - delay: How long to wait before: what is only passed by needs no picture.
    func load(
        _ request: PictureRequest, credit: DisplayText, before: PixelBuffer? = nil, after delay: Duration,
        by context: DashboardContext
    ) {
        self.request = request
        isDue = false
        preparation = .none
        image.isHidden = false
        message = .empty
        image.detail = context.imageDetail
        loading?.cancel()
        if let ready = context.pictures.picture(request) {
            if let before {
                standIn.detail = context.imageDetail
                standIn.image = before
            }
            return show(.success(ready), credit: credit, retryKey: "")
        }
        standIn.detail = before == nil ? .halves : context.imageDetail
        standIn.image = before ?? context.pictures.hint(request)?.blurred
        image.image = nil
        indicator.start()
        setNeedsLayout()
        loading = Task { [weak self, pictures = context.pictures] in
            try? await Task.sleep(for: delay)
            guard !Task.isCancelled else { return }
            let result = await pictures.load(request)
            guard !Task.isCancelled, let self else { return }
            self.show(result, credit: credit, retryKey: context.key(self.retry))
        }
    }

    /// Stops a load that is not done; the picture has to be asked for again.
    func cancel() {
        if preparation != .none { reveal() }
        guard image.image == nil, !hasFailed else { return }
        loading?.cancel()
        isDue = true
    }

    /// Lets the picture go; it has to be asked for again.
    func forget() {
        loading?.cancel()
        preparation = .none
        image.isHidden = false
        image.image = nil
        standIn.image = nil
        isDue = true
    }

    private func show(_ result: Result<PixelBuffer, PictureProblem>, credit: DisplayText, retryKey: String) {
        indicator.stop()
        switch result {
        case .success(let picture):
            self.credit = credit
            image.image = picture
            // What the terminal shows itself takes the other's place once it has it.
            if standIn.image != nil, image.detail.graphics(in: traits.capabilities.graphics) != nil {
                preparation = .due
                image.isHidden = true
                return setNeedsLayout()
            }
            standIn.image = nil
        case .failure(let problem):
            standIn.image = nil
            message = DisplayText("\(problem). \(retryKey) retries.")
        }
        setNeedsLayout()
        if !hasFailed { didLoad() }
    }

    private func reveal() {
        preparation = .none
        image.isHidden = false
        standIn.image = nil
        setNeedsLayout()
        didLoad()
    }

    override func layoutSubviews() {
        defer {
            if preparation == .due, !image.bounds.isEmpty {
                preparation = .begun
                image.prepare { [weak self] in
                    if self?.preparation == .begun { self?.reveal() }
                }
            }
        }
        image.frame = bounds.inset(bottom: bounds.height > 4 ? 1 : 0)
        standIn.frame = image.frame
        let width = min(bounds.width, 24)
        // Under what stands in, where the credit will be.
        let row = standIn.image == nil ? bounds.height / 2 : bounds.height - 1
        let left = standIn.image == nil ? (bounds.width - width) / 2 : min(1, bounds.width - width)
        indicator.frame = Rect(x: left, y: row, width: width, height: 1)
    }

    override func drawOver(in surface: Surface) {
        let line = bounds.height - 1
        if !message.isEmpty {
            let lines = TextWrapping.wrap("! " + message, columns: max(1, bounds.width - 2))
            for (index, text) in lines.prefix(bounds.height).enumerated() {
                surface.fill(Rect(x: 0, y: index, width: bounds.width, height: 1), style: theme[.text])
                surface.draw(text, at: Point(x: 1, y: index), style: theme[.failure])
            }
        } else if image.image != nil, bounds.height > 4 {
            surface.draw(credit.truncated(to: bounds.width - 2), at: Point(x: 1, y: line), style: theme[.secondary])
        }
    }
}

extension PixelBuffer {
    /// The pixels of a decoded picture.
    init(_ picture: Picture) { self.init(width: picture.width, height: picture.height, rgba: picture.rgba) }
}
