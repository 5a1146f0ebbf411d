import Pictures
import TerminalUI

/// A stage's picture with what is to be said about it: that it is awaited, why it is not there, whose it is.
@MainActor
final class StagePictureView: View {
    let image = ImageView()
    private let indicator = ActivityIndicator("Loading the picture")
    private var message: DisplayText = .empty
    private var credit: DisplayText = .empty

    override init() {
        super.init()
        addSubview(image)
        addSubview(indicator)
    }

    /// Whether a picture is shown or awaited, or its absence told: then it needs room.
    var hasContent: Bool { image.image != nil || indicator.isAnimating || !message.isEmpty }

    func wait() {
        message = .empty
        indicator.start()
        setNeedsLayout()
    }

    func show(_ picture: Picture, credit: DisplayText) {
        indicator.stop()
        message = .empty
        self.credit = credit
        image.image = PixelBuffer(width: picture.width, height: picture.height, rgba: picture.rgba)
        setNeedsLayout()
    }

    func show(failure: DisplayText) {
        indicator.stop()
        message = failure
        setNeedsLayout()
    }

    override func layoutSubviews() {
        image.frame = bounds.inset(bottom: bounds.height > 4 ? 1 : 0)
        let width = min(bounds.width, 24)
        indicator.frame = Rect(x: (bounds.width - width) / 2, y: bounds.height / 2, width: width, height: 1)
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
