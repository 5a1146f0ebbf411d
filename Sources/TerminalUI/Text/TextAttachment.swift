/// A view below a paragraph of a text.
public struct TextAttachment {
    /// The paragraph above the view.
    public var paragraph: Int
    /// The view, which scrolls with the text.
    public var view: View
    /// Returns the height for a text width, or 0 while the view is empty.
    public var height: @MainActor (_ columns: Int) -> Int

    /// The distance, in heights of the view, within which attachments are placed. Others are moved out of sight.
    static let reach = 6

    /// Creates an attachment.
    public init(paragraph: Int, view: View, height: @escaping @MainActor (_ columns: Int) -> Int) {
        self.paragraph = paragraph
        self.view = view
        self.height = height
    }
}
