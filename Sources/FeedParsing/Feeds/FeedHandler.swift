/// Passes the parts of a document to a ``FeedBuilder``.
final class FeedHandler: MarkupHandler {
    var builder: FeedBuilder

    init(_ builder: FeedBuilder) { self.builder = builder }

    func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) { builder.startElement(name, attributes) }

    func endElement(_ name: MarkupName) { builder.endElement(name) }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) { builder.text(bytes) }

    func documentIsCutOff() { builder.documentIsCutOff() }
}
