import Articles
import Feeds
import RaceModel
import TerminalUI

/// Builds the article of an entry: its text, and what the feed supplies besides it.
package enum EntryArticle {
    /// Builds the article, which takes a while for long ones.
    ///
    /// - Parameter browserKey: The key that opens the page, mentioned for an entry without text.
    package static func make(_ entry: EntryDetail, browserKey: String) -> ArticleDocument {
        var article = text(entry.ownHTML, entry.text, base: entry.base)
        if article.paragraphs.isEmpty { article.paragraphs = [emptyText(entry, browserKey)] }
        if let damage = entry.damage { article.prepend([TextParagraph(DisplayText(damage), .secondary), .blank]) }
        add(entry, to: &article)
        return article
    }

    /// Returns the text of an entry, whose addresses may be relative to a base.
    package static func text(_ html: String?, _ text: String?, base: String?) -> ArticleDocument {
        html.map { HTMLRenderer.render($0, base: base) } ?? HTMLRenderer.render(plainText: text ?? "")
    }

    /// Returns the line below the title of an entry: author, feeds, date and reading time.
    package static func facts(author: String?, sources: [String], published: Instant?, minutes: Int?) -> DisplayText {
        // Many sites use their own name as the author.
        var facts = [author].compactMap { $0 }.filter { !sources.contains($0) } + sources
        if let published { facts.append(DateText.dayAndTime(published).string) }
        if let minutes { facts.append(readingTime(minutes)) }
        return DisplayText(facts.map(unbroken).joined(separator: "\u{A0}· "))
    }

    /// Returns a fact that isn't wrapped unless it is long.
    private static func unbroken(_ fact: String) -> String {
        fact.count <= 24 ? fact.replacing(" ", with: "\u{A0}") : fact
    }

    /// Returns a reading time such as "3 min", which isn't wrapped.
    static func readingTime(_ minutes: Int) -> String { "\(minutes)\u{A0}min" }

    private static func emptyText(_ entry: EntryDetail, _ browserKey: String) -> TextParagraph {
        let hint = entry.link == nil ? "" : " \(browserKey) opens the page in the browser."
        return TextParagraph(DisplayText("This entry has no text." + hint), .secondary)
    }

    /// Returns the audio and video among what a feed supplies with an entry, and pages that play it.
    static func media(in extras: EntryExtras) -> [Enclosure] {
        let files = (extras.enclosures ?? []).filter { !isObsolete($0) }
        let media = files.filter { kind(of: $0).isPlayed }
        return media.isEmpty ? files.filter(\.isUnknown) : media
    }

    /// Adds enclosures before the text, since they are the point of such entries, and everything else after it.
    private static func add(_ entry: EntryDetail, to article: inout ArticleDocument) {
        let extras = entry.extras
        var files = (extras.enclosures ?? []).filter { !isObsolete($0) }
        let picture = extras.image ?? files.first { kind(of: $0) == .picture }?.url
        let leading = article.images.isEmpty ? picture : nil
        files.removeAll { $0.url == leading }
        let media = files.filter { kind(of: $0).isPlayed }
        if !media.isEmpty { article.prepend(lines(media, of: entry, &article) + [.blank]) }
        if let leading { article.prependImage(leading) }

        var rest = lines(files.filter { !media.contains($0) }, of: entry, &article)
        if let external = extras.external { rest.append(article.addLink(external, "See also")) }
        if let comments = extras.comments { rest.append(article.addLink(comments, "Comments")) }
        if let tags = extras.tags {
            rest.append(TextParagraph(DisplayText("Tags: " + tags.joined(separator: ", ")), .secondary))
        }
        if !rest.isEmpty { article.paragraphs += [.blank] + rest }
    }

    private static func lines(
        _ files: [Enclosure], of entry: EntryDetail, _ article: inout ArticleDocument
    ) -> [TextParagraph] {
        files.map { article.addLink($0.url, kind(of: $0).name, note: note(on: $0, entry.played[$0.url])) }
    }

    // MARK: Enclosures

    private enum Kind {
        case audio
        case video
        /// A page on which a video plays.
        case player
        case picture
        case other

        var name: DisplayText {
            switch self {
            case .audio: "Audio"
            case .video, .player: "Video"
            case .picture: "Picture"
            case .other: "File"
            }
        }

        var isPlayed: Bool { self == .audio || self == .video || self == .player }
    }

    private static func kind(of file: Enclosure) -> Kind {
        let type = file.mediaType?.lowercased() ?? ""
        if type.hasPrefix("audio/") { return .audio }
        if type.hasPrefix("video/") { return .video }
        if type.hasPrefix("image/") { return .picture }
        if file.isPlayerPage { return .player }
        return .other
    }

    /// Whether a file is a Flash video. Nothing plays them any more, but they are still in feeds of video sites.
    private static func isObsolete(_ file: Enclosure) -> Bool {
        file.mediaType?.lowercased() == "application/x-shockwave-flash"
    }

    private static func note(on file: Enclosure, _ played: PlayedEnclosure?) -> DisplayText {
        var facts: [DisplayText] = []
        if kind(of: file) == .other, let type = file.mediaType { facts.append(DisplayText(type)) }
        if let duration = file.duration, duration >= 1, duration < 1e7 { facts.append(clock(Int(clamping: duration))) }
        if let size = file.size, size >= 1000 { facts.append(bytes(size)) }
        if let played { facts.append(played.isWhole ? "played" : "left at " + clock(played.position)) }
        return facts.reduce(.empty) { $0 + " · " + $1 }
    }

    /// Returns a duration such as "1:02:11" or "4:05".
    package static func clock(_ seconds: Int) -> DisplayText { DisplayText(RaceTime.text(seconds)) }

    /// Returns a size such as "34 MB", in decimal units.
    private static func bytes(_ count: Int64) -> DisplayText {
        let units = ["bytes", "kB", "MB", "GB"]
        var value = count
        var unit = 0
        while value >= 1000, unit < units.count - 1 {
            value = (value + 500) / 1000
            unit += 1
        }
        return DisplayText("\(value) \(units[unit])")
    }
}
