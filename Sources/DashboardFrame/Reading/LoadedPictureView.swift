import Pictures
import Platform
import TerminalUI

/// A picture that is loaded on demand, with a loading indicator, an error or a credit.
@MainActor
package final class LoadedPictureView: View {
    package let image = ImageView()
    /// The placeholder: the previous picture, or a blurred preview.
    private let standIn = ImageView()
    private let retry: CommandDefinition
    private let indicator = ActivityIndicator("Loading the picture")
    private var message: DisplayText = .empty
    private var credit: DisplayText = .empty
    private var loading: Task<Void, Never>?
    /// Whether the loaded picture is being transmitted to the terminal behind the placeholder.
    private enum Preparation { case none, due, begun }
    private var preparation = Preparation.none
    /// The last request, even after its picture was released.
    package private(set) var request: PictureRequest?
    /// Whether the picture must be requested, for the first time or again.
    package private(set) var isDue = true
    /// Whether loading failed.
    package var hasFailed: Bool { !message.isEmpty }
    /// Called when a picture was loaded.
    package var didLoad: () -> Void = {}

    /// - Parameter retry: The command that retries a failed picture.
    package init(retry: CommandDefinition) {
        self.retry = retry
        super.init()
        standIn.isInteractive = false
        addSubview(standIn)
        addSubview(image)
        addSubview(indicator)
    }

    /// Whether there is a picture, a loading indicator or an error, which needs space.
    package var hasContent: Bool { image.image != nil || indicator.isAnimating || !message.isEmpty }

    /// The visible picture, as a placeholder for the next.
    package var shown: PixelBuffer? { preparation == .none ? image.image ?? standIn.image : standIn.image }

    /// Loads a picture. A cached picture appears at once.
    ///
    /// - Parameters:
    ///   - credit: The credit for the picture (row STA-08).
    ///   - before: The visible picture, which stays until the new one was loaded.
    ///   - delay: The delay before loading, so that pictures passed quickly are not loaded.
    package func load(
        _ request: PictureRequest, credit: DisplayText, before: PixelBuffer? = nil, after delay: Duration,
        by services: EntryServices
    ) {
        self.request = request
        isDue = false
        preparation = .none
        image.isHidden = false
        message = .empty
        image.detail = services.appearance.imageDetail
        loading?.cancel()
        if let ready = services.web.pictures.picture(request) {
            if let before {
                standIn.detail = services.appearance.imageDetail
                standIn.image = before
            }
            return show(.success(ready), credit: credit, retryKey: "")
        }
        standIn.detail = before == nil ? .halves : services.appearance.imageDetail
        standIn.image = before ?? services.web.pictures.hint(request)?.blurred
        image.image = nil
        indicator.start()
        setNeedsLayout()
        loading = Task { [weak self, pictures = services.web.pictures] in
            try? await Clock.sleep(for: delay)
            guard !Task.isCancelled else { return }
            let result = await pictures.load(request)
            guard !Task.isCancelled, let self else { return }
            self.show(result, credit: credit, retryKey: services.access.status.key(self.retry))
        }
    }

    /// Cancels a load. The picture must be requested again.
    package func cancel() {
        if preparation != .none { reveal() }
        guard image.image == nil, !hasFailed else { return }
        loading?.cancel()
        isDue = true
    }

    /// Releases the picture. It must be requested again.
    package func forget() {
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
            // A picture drawn by the terminal replaces the placeholder once it was transmitted.
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

    /// The size of the picture or its placeholder, with the credit, or the whole space if there is neither.
    package override func sizeThatFits(_ size: Size) -> Size {
        guard let shown = [image, standIn].first(where: { $0.image != nil }) else { return size }
        let room = Size(width: size.width, height: size.height - LoadedPictureView.creditHeight(in: size.height))
        return Size(width: shown.sizeThatFits(room).width, height: size.height)
    }

    /// The number of lines below the picture, which low panes don't have.
    private static func creditHeight(in height: Int) -> Int { height > 4 ? 1 : 0 }

    package override func layoutSubviews() {
        defer {
            if preparation == .due, !image.bounds.isEmpty {
                preparation = .begun
                image.prepare { [weak self] in
                    if self?.preparation == .begun { self?.reveal() }
                }
            }
        }
        image.frame = bounds.inset(bottom: LoadedPictureView.creditHeight(in: bounds.height))
        standIn.frame = image.frame
        let width = min(bounds.width, 24)
        // Below the placeholder, in the place of the credit.
        let row = standIn.image == nil ? bounds.height / 2 : bounds.height - 1
        let left = standIn.image == nil ? (bounds.width - width) / 2 : min(1, bounds.width - width)
        indicator.frame = Rect(x: left, y: row, width: width, height: 1)
    }

    package override func drawOver(in surface: Surface) {
        let line = bounds.height - 1
        if !message.isEmpty {
            let lines = TextWrapping.wrap("! " + message, columns: max(1, bounds.width - 2))
            for (index, text) in lines.prefix(bounds.height).enumerated() {
                surface.fill(Rect(x: 0, y: index, width: bounds.width, height: 1), style: theme[.text])
                surface.draw(text, at: Point(x: 1, y: index), style: theme[.failure])
            }
        } else if image.image != nil, LoadedPictureView.creditHeight(in: bounds.height) > 0 {
            surface.draw(credit.truncated(to: bounds.width - 2), at: Point(x: 1, y: line), style: theme[.secondary])
        }
    }
}

extension PixelBuffer {
    /// Creates a buffer from a decoded picture.
    package init(_ picture: Picture) { self.init(width: picture.width, height: picture.height, rgba: picture.rgba) }
}
