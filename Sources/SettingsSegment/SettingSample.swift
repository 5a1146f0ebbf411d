import DashboardFrame
import Feeds
import ModelCore
import TerminalUI

/// What a setting changes, as a small drawing with one of its values.
@MainActor
struct SettingSample {
    /// What is drawn.
    enum Kind {
        /// Rows of a list.
        case rows
        /// Rows of the list of feeds.
        case feeds
        /// Rows and text in all roles of a theme.
        case theme
        /// A paragraph of an article.
        case article
        /// A pane with its columns.
        case pane
        /// The widths of panes at which the layout changes.
        case widths
        /// A picture.
        case picture
        /// The name and the values in the configuration file.
        case file
        /// What the other settings of the section do.
        case section
    }

    typealias Line = [RoleText]

    let name: String
    let value: String
    let columns: Int
    let settings: Settings
    let symbols: Symbols
    let hasUnicode: Bool
    let now: Instant
    /// The width of the pane.
    let paneColumns: Int
    /// What is shown instead of the setting's own drawing.
    var other: Kind?
    /// The maximum number of lines of the other settings.
    var rows = Int.max

    var kind: Kind { other ?? SettingSample.kind(of: name) }

    /// Returns what the sample of a setting shows.
    static func kind(of name: String) -> Kind { kinds[name] ?? .file }

    private static let kinds: [String: Kind] = [
        SettingKey.theme.name: .theme, SettingKey.colors.name: .theme, SettingKey.dateStyle.name: .rows,
        SettingKey.excerpts.name: .rows, SettingKey.rowLines.name: .rows, SettingKey.entryOrder.name: .rows,
        SettingKey.mergeDuplicates.name: .rows, SettingKey.hideRead.name: .feeds,
        SettingKey.articleWidth.name: .article,
        SettingKey.articlePictures.name: .article, SettingKey.pictureDetail.name: .picture,
        SettingKey.lists.name: .pane, SettingKey.listWidth.name: .pane, SettingKey.listSide.name: .pane,
        SettingKey.twoColumnsFrom.name: .widths, SettingKey.threeColumnsFrom.name: .widths,
    ]

    var title: DisplayText {
        switch kind {
        case .file: "In the configuration file"
        case .section: "Also in " + DisplayText(Settings.definition(name)?.section ?? "")
        default: "Sample"
        }
    }

    /// The lines of the sample. A picture has none.
    var lines: [Line] {
        switch kind {
        case .rows: entryRows
        case .feeds: feeds
        case .theme: Array(entryRows.prefix(4)) + theme
        case .article: name == SettingKey.articleWidth.name ? articleWidth : articlePictures
        case .pane: pane
        case .widths: widths
        case .picture: []
        case .file: file
        case .section: section
        }
    }

    /// The other settings of the section with what they do, as many as fit.
    private var section: [Line] {
        let definitions = Settings.definitions
        guard let own = definitions.firstIndex(where: { $0.name == name }) else { return [] }
        // Those that follow in the list come first.
        let others = (definitions[own...].dropFirst() + definitions[..<own]).filter {
            $0.section == definitions[own].section
        }
        var lines: [Line] = []
        for other in others {
            let words = TextWrapping.wrap(DisplayText(other.explanation), columns: max(1, columns - 2))
            guard lines.count + 1 + words.count <= rows else { break }
            let own = SettingText.value(settings[other.name].value, of: other).truncated(to: columns / 2)
            let title = DisplayText(other.title).padded(to: columns - own.columns)
            lines.append([RoleText(title), RoleText(own, .secondary)])
            lines += words.map { [RoleText("  " + $0, .secondary)] }
        }
        return lines
    }

    private var file: [Line] {
        guard let definition = Settings.definition(name) else { return [] }
        let values = TextWrapping.wrap(DisplayText("Values: " + definition.domain), columns: max(1, columns))
        return [[RoleText(DisplayText(name))]] + values.map { [RoleText($0, .secondary)] }
    }

    /// Returns the value of a setting, which for that of the sample is the sample's.
    private func text(ofSetting other: String) -> String { other == name ? value : settings[other].value }

    private func text(_ key: SettingKey<String>) -> String { text(ofSetting: key.name) }
    private func isOn(_ key: SettingKey<Bool>) -> Bool { text(ofSetting: key.name) == "on" }
    private func number(_ key: SettingKey<Int>) -> Int { Int(text(ofSetting: key.name)) ?? 0 }
    private func drawn(_ glyph: Glyph, _ count: Int = 1) -> DisplayText {
        DisplayText(String(repeating: DisplayText(glyph).string, count: max(0, count)))
    }

    // MARK: Lists

    private var entryRows: [Line] {
        let entries = EntrySample.entries(in: EntryOrder(setting: text(.entryOrder)))
        let dates = DateText(style: DateText.Style(rawValue: text(.dateStyle)) ?? .relative, now: now)
        return entries.flatMap { lines(of: $0, dates) }
    }

    private func lines(of entry: EntrySample, _ dates: DateText) -> [Line] {
        let isMerged = isOn(.mergeDuplicates) && entry.sources > 1
        let end = DisplayText(isMerged ? "×\(entry.sources) " : "") + dates.short(now - entry.age)
        let room = max(1, columns - 2 - end.columns - 1)
        let maximum = max(1, number(.rowLines))
        var titles = TextWrapping.wrap(entry.title, columns: room)
        if titles.count > maximum {
            let whole = titles.prefix(max(0, maximum - 1))
            titles = Array(whole) + [entry.title.cut(whole, to: room)]
        }
        var lines = titles.enumerated().map { index, title -> Line in
            let mark = index == 0 && !entry.isRead ? drawn(symbols.dot) : " "
            let start: Line = [RoleText(mark + " ", .accent), RoleText(title, entry.isRead ? .text : .unread)]
            let gap = columns - 2 - title.columns - end.columns
            return index > 0 ? start : start + [RoleText(.blanks(max(1, gap)) + end, .secondary)]
        }
        if isOn(.excerpts), maximum == 1 {
            lines.append([RoleText("  " + entry.excerpt.truncated(to: columns - 2), .secondary)])
        }
        return lines
    }

    private var feeds: [Line] {
        let all: [(name: DisplayText, unread: Int)] = [("Race Radio", 12), ("Old News Weekly", 0), ("Kernel Notes", 3)]
        return all.filter { !isOn(.hideRead) || $0.unread > 0 }.map { feed in
            let count = DisplayText(feed.unread > 0 ? String(feed.unread) : "")
            return [
                RoleText(feed.name, feed.unread > 0 ? .unread : .text),
                RoleText(.blanks(max(1, columns - feed.name.columns - count.columns)) + count, .secondary),
            ]
        }
    }

    // MARK: Text

    private var theme: [Line] {
        func sign(_ kind: StageKind) -> RoleText {
            RoleText(drawn(kind.glyph(hasUnicode: hasUnicode)) + " ", kind.role)
        }
        return [
            [], [RoleText("A heading", .heading)],
            [
                RoleText("Text with a "), RoleText("link", .link), RoleText(", "), RoleText("code", .code),
                RoleText(" and"),
            ],
            [RoleText("a quotation", .quote), RoleText(", a "), RoleText("match", .match), RoleText(".")], [],
            [
                RoleText("let", .accent), RoleText(" pause = "), RoleText("\"long\"", .good),
                RoleText("  // why", .secondary),
            ],
            [], [RoleText(padded(" A selected row", columns), .selection)],
            [
                RoleText(drawn(symbols.progressDone, columns / 3), .progress),
                RoleText(drawn(symbols.progressOpen, columns / 3), .rule),
            ],
            [],
            [
                sign(.flat), RoleText("flat  ", .secondary), sign(.hilly), RoleText("hilly  ", .secondary),
                sign(.mountain), RoleText("mountain", .secondary),
            ], [RoleText("! no such host", .failure)],
        ]
    }

    private static let prose: DisplayText =
        "In a recent post I covered a change that lets the list of a split view stay visible in portrait mode. To illustrate the idea I use a very simple list and detail, which you can make wider and narrower."

    /// The width as a ruler, with text of that width below it.
    private var articleWidth: [Line] {
        let width = max(1, number(.articleWidth))
        let label = DisplayText(" \(width) columns ")
        let shown = min(width, columns)
        let left = max(0, (shown - 2 - label.columns) / 2)
        let right = max(0, shown - 2 - label.columns - left)
        let end = width > columns ? symbols.more : symbols.vertical
        let ruler =
            drawn(symbols.vertical) + drawn(symbols.horizontal, left) + label + drawn(symbols.horizontal, right)
            + drawn(end)
        let text = TextWrapping.wrap(SettingSample.prose, columns: width)
        return [[RoleText(ruler, .secondary)]] + text.map { [RoleText($0.truncated(to: columns))] }
    }

    private var articlePictures: [Line] {
        let isShown = value == "shown"
        let rows: [DisplayText] =
            isShown
            ? ["          ▁▄▆▄▁", "     ▁▃▆███████▆▃▁  ▂▄▂", "▂▄▆██████████████████████▆▃"]
            : ["[picture: the pass in spring]"]
        let caption: [Line] = isShown ? [[RoleText("The pass in spring", .secondary)]] : []
        return [[RoleText("The road climbs to the pass.")], []] + rows.map { [RoleText($0, .cool)] } + caption
            + [[], [RoleText("Then it descends to the sea.")]]
    }

    // MARK: Columns

    private static let paneRows = 6

    private var pane: [Line] {
        let inner = max(12, columns - 2)
        let mode = text(.lists)
        let list = mode == "hidden" ? 0 : listColumns(of: inner)
        let isRight = text(.listSide) == "right"
        let isOver = mode == "over"
        let detail = inner - list - 1
        // A list over the article covers its beginning; one that pushes it aside moves its end out of sight.
        let width = isOver || mode == "aside" || list == 0 ? inner : detail
        let article = TextWrapping.wrap(SettingSample.prose, columns: max(4, width - 1))
        func row(_ index: Int) -> Line {
            let listText = index == 0 ? DisplayText("List") : drawn(symbols.progressDone, [9, 6, 8, 5, 7][index % 5])
            var words = index < article.count ? article[index] : .empty
            if isOver {
                words =
                    isRight ? words.prefix(columns: detail) : words.suffix(columns: max(0, words.columns - list - 1))
            }
            let text = RoleText(padded(words, list == 0 ? inner : detail))
            let edge = RoleText(drawn(symbols.vertical), .rule)
            guard list > 0 else { return [edge, text, edge] }
            let own = RoleText(padded(listText, list), index == 0 ? .accent : .secondary)
            let rule = RoleText(drawn(symbols.vertical), isOver ? .accent : .rule)
            let middle = isRight ? [text, rule, own] : [own, rule, text]
            return [edge] + middle + [edge]
        }
        let edge = drawn(symbols.horizontal, inner)
        let corners = symbols.corners.map { drawn($0) }
        return [[RoleText(corners[0] + edge + corners[1], .rule)]] + (0..<SettingSample.paneRows).map(row)
            + [[RoleText(corners[2] + edge + corners[3], .rule)]]
    }

    /// The width of the list in a drawing, in proportion to that in the pane.
    private func listColumns(of inner: Int) -> Int {
        let pane = max(40, paneColumns)
        let list = max(10, min(pane * number(.listWidth) / 100, pane - 20))
        return (list * inner / pane).limited(4, inner - 6)
    }

    private func padded(_ text: DisplayText, _ width: Int) -> DisplayText {
        text.truncated(to: max(0, width)).padded(to: width)
    }

    /// The forms of the layout by width, and the one of this pane.
    private var widths: [Line] {
        let limits = [
            min(SizeClassThresholds().narrowWidth, number(.twoColumnsFrom)), number(.twoColumnsFrom),
            number(.threeColumnsFrom),
        ]
        let names: [DisplayText] = ["one column", "sliding list", "two columns", "three columns"]
        let starts = [0] + limits
        return names.indices.map { index in
            let next = index < limits.count ? limits[index] : Int.max
            let isThis = paneColumns >= starts[index] && paneColumns < next
            let range = DisplayText(index == 0 ? "up to \(max(0, limits[0] - 1))" : "from \(starts[index])")
            return [
                RoleText(padded(names[index], 14), isThis ? .accent : .text),
                RoleText(isThis ? range + "  here" : range, .secondary),
            ]
        }
    }
}

extension DisplayText {
    /// Returns what follows some wrapped lines of the text, truncated.
    fileprivate func cut(_ lines: ArraySlice<DisplayText>, to columns: Int) -> DisplayText {
        let used = lines.reduce(0) { $0 + $1.columns + 1 }
        return suffix(columns: max(0, self.columns - used)).truncated(to: columns)
    }
}
