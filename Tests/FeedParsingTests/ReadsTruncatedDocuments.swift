import Foundation
import Testing

@testable import FeedParsing

/// Documents truncated at any byte: nothing reads beyond the end.
@Suite struct ReadsTruncatedDocuments {
    private static let markup = """
        a<A HREF = "/x?a=1&amp;b=2" title='t' cite=q rel>b</a><!-- c --><!DOCTYPE d><script src=s>if (a < b)</script>
        <style/><applet>x</applet></script ><img src = /p.png alt><a href='#' ><s><p -a==b></p>
        """

    /// Each prefix, alone and followed by the start of another construct.
    private func pieces(_ text: String) -> [String] {
        text.indices.flatMap { end in
            ["", "<", "<!", "<!-", "<a href", "<a href ", "<a href=", "&", "&#"].map { text[..<end] + $0 }
        }
    }

    @Test func parsesMarkupCutAnywhere() {
        let base = "https://a.example/b/"
        let whole = RelativeLinks.resolved(in: ReadsTruncatedDocuments.markup, base: base)
        // Text that is not a link stays as written, byte for byte.
        #expect(
            whole.replacing(base, with: "").replacing("https://a.example/", with: "/") == ReadsTruncatedDocuments.markup
        )
        #expect(
            ActiveMarkup.removed(from: ReadsTruncatedDocuments.markup).hasSuffix("alt><a href='#' ><s><p -a==b></p>"))
        for piece in pieces(ReadsTruncatedDocuments.markup) {
            #expect(RelativeLinks.resolved(in: piece, base: base).hasPrefix(piece.prefix { $0 != "=" }))
            let removed = ActiveMarkup.removed(from: piece)
            #expect(!removed.contains("if (a") && removed.utf8.count <= piece.utf8.count)
        }
    }

    @Test func skipsTheInternalSubset() throws {
        let text = """
            <!DOCTYPE rss [ <!ENTITY a "b>[c]"> <!ELEMENT x [ [y] ]> ]><rss><channel><title>T</title>
            <item><title>One & two</title></item></channel></rss>
            """
        let feed = try FeedParser.parse(Array(text.utf8)).feed
        #expect(feed.title == "T" && feed.entries.map(\.title) == ["One & two"])
        for piece in pieces(text) { _ = try? FeedParser.parse(Array(piece.utf8)) }
    }
}
