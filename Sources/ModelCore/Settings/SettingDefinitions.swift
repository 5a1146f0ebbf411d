import Feeds
import Fetching
import LibraryKernel
import Races

/// The name of a setting with the type of its value, so that neither can be mistaken.
package struct SettingKey<Value: Sendable>: Hashable, Sendable {
    /// The name in configuration files.
    package let name: String

    fileprivate init(_ name: String) { self.name = name }
}

extension SettingKey where Value == String {
    package static let theme = SettingKey("appearance.theme")
    package static let dateStyle = SettingKey("appearance.dates")
    package static let counts = SettingKey("appearance.counts")
    package static let narrowList = SettingKey("appearance.narrow-list")
    package static let listSide = SettingKey("appearance.list-side")
    package static let lists = SettingKey("appearance.lists")
    package static let pictureDetail = SettingKey("appearance.pictures")
    package static let segments = SettingKey("segments")
    package static let startSegment = SettingKey("appearance.start")
    /// The value of ``startSegment`` without a choice of the user.
    package static let automaticStart = "automatic"
    package static let entryOrder = SettingKey("feeds.order")
    package static let feedOrder = SettingKey("feeds.feed-order")
    package static let player = SettingKey("audio.player")
    package static let mediaFolder = SettingKey("audio.folder")
    package static let links = SettingKey("feeds.links")
    package static let browser = SettingKey("feeds.browser")
    package static let startList = SettingKey("feeds.start")
    package static let notifications = SettingKey("notifications.by")
    package static let notifier = SettingKey("notifications.command")
    static let quietHours = SettingKey("notifications.quiet-hours")
    package static let articlePictures = SettingKey("feeds.pictures")
    package static let colors = SettingKey("appearance.colors")
    package static let authorities = SettingKey("network.ca-file")
    package static let digits = SettingKey("keys.digits")
    package static let ownKeys = SettingKey("terminal.keys")
}

extension SettingKey where Value == Bool {
    package static let accessory = SettingKey("appearance.accessory")
    package static let motion = SettingKey("appearance.motion")
    package static let linear = SettingKey("appearance.screen-reader")
    package static let followList = SettingKey("feeds.follow-list")
    package static let markReadOnOpen = SettingKey("feeds.mark-read-on-open")
    package static let markReadOnScroll = SettingKey("feeds.mark-read-on-scroll")
    package static let excerpts = SettingKey("feeds.excerpts")
    package static let mergeDuplicates = SettingKey("feeds.merge-duplicates")
    package static let hideRead = SettingKey("feeds.hide-read")
    package static let notifiesStart = SettingKey("notifications.stage-start")
    package static let notifiesLastKilometres = SettingKey("notifications.stage-last-kilometres")
    package static let notifiesResult = SettingKey("notifications.stage-result")
    package static let notifiesLeader = SettingKey("notifications.stage-leader")
    package static let mouse = SettingKey("terminal.mouse")
    package static let title = SettingKey("terminal.title")
}

extension SettingKey where Value == Int {
    package static let escapeTime = SettingKey("terminal.escape-time")
    package static let articleWidth = SettingKey("appearance.article-width")
    package static let listWidth = SettingKey("appearance.list-width")
    package static let twoColumnsFrom = SettingKey("appearance.two-columns-from")
    package static let threeColumnsFrom = SettingKey("appearance.three-columns-from")
    package static let reloadMinutes = SettingKey("feeds.refresh")
    package static let rowLines = SettingKey("feeds.row-lines")
    package static let readAfter = SettingKey("feeds.read-after")
    package static let keepDays = SettingKey("feeds.keep-days")
    package static let keepEntries = SettingKey("feeds.keep-entries")
}

extension Settings {
    /// All settings, in the order of the Settings segment.
    package static let definitions: [SettingDefinition] = [
        SettingDefinition(
            .theme, in: "Appearance", "Theme",
            "The program's colours. 'terminal' mixes them from the terminal's own. Your own themes are files in 'themes', next to the configuration file.",
            .named(["terminal", "dark", "light", "rosa", "high contrast", "monochrome"]), default: "terminal"),
        SettingDefinition(
            .colors, in: "Appearance", "Colours",
            "How many colours to use. 'auto' uses all that the terminal has. Takes effect at the next start.",
            .choice(["auto", "direct", "256", "16", "none"]), default: "auto"),
        SettingDefinition(
            .dateStyle, in: "Appearance", "Dates",
            "How lists show dates: as an age, as a day, or as date and time (ISO 8601).",
            .choice(["relative", "day", "iso"]), default: "relative"),
        SettingDefinition(
            .counts, in: "Appearance", "Counts",
            "How lists and the bar show unread entries: as a number, as a dot, or not at all.",
            .choice(CountStyle.allCases.map(\.rawValue)), default: CountStyle.number.rawValue),
        SettingDefinition(
            .motion, in: "Appearance", "Motion",
            "Whether lists and views slide in. Always off over slow lines and without colours.",
            .toggle, default: "on"),
        SettingDefinition(
            .linear, in: "Appearance", "Screen-reader mode",
            "For screen readers and braille displays: one column without lines or drawings, words in place of signs, the cursor on the selection.",
            .toggle, default: "off"),
        SettingDefinition(
            .pictureDetail, in: "Appearance", "Pictures",
            "How to draw pictures. 'auto' uses the best method that the terminal reports. 'sextants' needs a font with the symbols of Unicode 13. 'kitty' and 'sixel' draw pixels, or quadrants if the terminal can't.",
            .choice(["auto", "halves", "quadrants", "sextants", "kitty", "sixel"]), default: "auto"),
        SettingDefinition(
            .articleWidth, in: "Appearance", "Width of articles",
            "The maximum width of an article, in columns. In wider panes it is centred.",
            .number(40...300, offered: [60, 72, 80, 92, 120], unit: "columns"), default: "80"),
        SettingDefinition(
            .segments, in: "Appearance", "Segments",
            "The segments of the bar, from left to right. Each can be a list, a folder, a tag, a search, a feed or a race. Digits and Tab follow this order.",
            .places, default: SegmentName.allCases.map(\.rawValue).joined(separator: " ")),
        SettingDefinition(
            .startSegment, in: "Appearance", "Start with",
            "The segment at start. 'automatic' is Stages on the day of a stage, otherwise Feeds if you have any.",
            .choice([SettingKey<String>.automaticStart] + SegmentName.allCases.map(\.rawValue)),
            default: SettingKey<String>.automaticStart),
        SettingDefinition(
            .accessory, in: "Appearance", "Current events",
            "Whether a line above all segments shows the live stage, what is played, long reloads, syncs and imports, and accounts that need a password.",
            .toggle, default: "on"),
        SettingDefinition(
            .lists, in: "Columns", "Lists",
            "In wide panes: the list is beside the detail, slides over it, pushes it aside, or is hidden until you show it.",
            .choice(["beside", "over", "aside", "hidden"]), default: "beside"),
        SettingDefinition(
            .listWidth, in: "Columns", "List width",
            "The list's share of the pane's width. The keys that narrow and widen the list change this setting. Unless you set it, lists are never very narrow or very wide.",
            .number(20...70, offered: [26, 30, 34, 38, 42, 46, 50], unit: "%"), default: "38"),
        SettingDefinition(
            .narrowList, in: "Columns", "Narrow panes",
            "In narrow panes: the list slides over the detail, opens as a popover, or is above it if the pane has 30 or more rows.",
            .choice(["slide", "popover", "above"]), default: "slide"),
        SettingDefinition(
            .listSide, in: "Columns", "List side",
            "The side of the pane that lists are on.",
            .choice(["left", "right"]), default: "left"),
        SettingDefinition(
            .twoColumnsFrom, in: "Columns", "Two columns from",
            "From this many columns, the list is beside the detail.",
            .number(40...400, offered: [60, 78, 90, 110], unit: "columns"), default: "78"),
        SettingDefinition(
            .threeColumnsFrom, in: "Columns", "Three columns from",
            "From this many columns, two lists are beside the detail.",
            .number(100...500, offered: [120, 148, 180, 220], unit: "columns"), default: "148"),
        SettingDefinition(
            .reloadMinutes, in: "Feeds", "Reload every",
            "Minutes between automatic reloads; 0 turns them off. tappa never reloads automatically in quiet hours or before you have added a feed.",
            .number(0...1440, offered: [0, 15, 30, 60, 120, 360], unit: "min", zero: "off"), default: "60"),
        SettingDefinition(
            .entryOrder, in: "Feeds", "Order",
            "Which entries are first in lists.",
            .choice(EntryOrder.settings.map(\.value)), default: "newest first"),
        SettingDefinition(
            .feedOrder, in: "Feeds", "Order of feeds",
            "The order of feeds within folders and tags: your own, by unread entries, or by title.",
            .choice(FeedSorting.allCases.map(\.rawValue)), default: FeedSorting.own.rawValue),
        SettingDefinition(
            .startList, in: "Feeds", "Start with the list",
            "The row that a new pane selects at start: the name of a list, saved search, folder, tag or feed. 'automatic' is Unread if there is any, otherwise the first feed.",
            .text("the name of a row, 'the first feed' or 'automatic'"), default: "automatic"),
        SettingDefinition(
            .rowLines, in: "Feeds", "Lines of a title",
            "The maximum number of lines for a title in a list of entries.",
            .number(1...3, offered: [1, 2, 3], unit: "lines"), default: "1"),
        SettingDefinition(
            .followList, in: "Feeds", "Follow the list",
            "Whether the detail shows the selected entry without opening it.",
            .toggle, default: "on"),
        SettingDefinition(
            .readAfter, in: "Feeds", "Mark read after",
            "Seconds after which an entry beside its list is marked as read. 'off' marks it only when you open it.",
            .number(0...600, offered: [0, 2, 5, 10, 30], unit: "s", zero: "off"), default: "0"),
        SettingDefinition(
            .markReadOnOpen, in: "Feeds", "Mark read on opening",
            "Whether opening an entry marks it as read.",
            .toggle, default: "on"),
        SettingDefinition(
            .markReadOnScroll, in: "Feeds", "Mark read on scrolling",
            "Whether entries are marked as read when you scroll past them in a list.",
            .toggle, default: "off"),
        SettingDefinition(
            .articlePictures, in: "Feeds", "Pictures in articles",
            "Whether articles show their pictures, each loaded when you scroll near it, or only on request.",
            .choice(["shown", "on request"]), default: "shown"),
        SettingDefinition(
            .links, in: "Feeds", "Links in articles",
            "Where links open: here or in the browser. The capital letter of a link's hint opens it the other way.",
            .choice(["here", "in the browser"]), default: "here"),
        SettingDefinition(
            .browser, in: "Feeds", "Browser",
            "The program that opens links, with its arguments. %s is replaced by the link; without it, the link is the last argument. 'BROWSER' uses the environment variable, or the desktop's browser.",
            .program("a program with its arguments, or BROWSER"), default: "BROWSER"),
        SettingDefinition(
            .excerpts, in: "Feeds", "Excerpts",
            "Whether lists show the beginning of each entry. Needs 40 columns, 15 lines and titles of one line.",
            .toggle, default: "on"),
        SettingDefinition(
            .mergeDuplicates, in: "Feeds", "Merge duplicates",
            "Whether lists show one row for entries from several feeds that link to the same page.",
            .toggle, default: "off"),
        SettingDefinition(
            .hideRead, in: "Feeds", "Hide read feeds",
            "Whether the list hides feeds, folders and tags without unread entries.",
            .toggle, default: "off"),
        SettingDefinition(
            .keepDays, in: "Feeds", "Keep entries for",
            "Days to keep entries; 0 keeps all. Starred and read-later entries always stay.",
            .number(0...36_500, offered: [0, 30, 90, 180, 365, 730], unit: "days", zero: "all"), default: "0"),
        SettingDefinition(
            .keepEntries, in: "Feeds", "Entries per feed",
            "The maximum number of entries per feed; 0 keeps all. Starred and read-later entries always stay.",
            .number(0...1_000_000, offered: [0, 100, 500, 1000, 5000], unit: "entries", zero: "all"), default: "0"),
        SettingDefinition(
            .player, in: "Media", "Player",
            "The program that plays audio and video, with its arguments. %s is replaced by the address; without it, the address is the last argument. It uses the pane until it quits.",
            .program("a program with its arguments"), default: "mpv"),
        SettingDefinition(
            .mediaFolder, in: "Media", "Folder",
            "The folder for downloaded audio and video. %n is replaced by the name of the feed, %h by its host.",
            .text("a folder"), default: "~/Podcasts"),
        SettingDefinition(
            .notifications, in: "Notifications", "Notify by",
            "How to notify you of new entries while the pane has no focus, if a rule or feed asks for it: by the terminal (in tmux its bell), a command, or not at all. Once per reload.",
            .choice(["terminal", "command", "off"]), default: "terminal"),
        SettingDefinition(
            .notifier, in: "Notifications", "Command",
            "The program that shows notifications, with its arguments. Title and text are appended.",
            .program("a program with its arguments"), default: "notify-send"),
        SettingDefinition(
            .quietHours, in: "Notifications", "Quiet hours",
            "Hours without notifications and automatic reloads, such as 22-7 or 22:30-6:45, or none.",
            .hours, default: QuietHours.none),
        SettingDefinition(
            .notifiesStart, in: "Notifications", "Stage start",
            "Whether to notify you when today's stage starts, if the race has its time.",
            .toggle, default: "off"),
        SettingDefinition(
            .notifiesLastKilometres, in: "Notifications", "Last ten kilometres",
            "Whether to notify you ten kilometres before today's finish, if the race has a ticker.",
            .toggle, default: "off"),
        SettingDefinition(
            .notifiesResult, in: "Notifications", "Stage result",
            "Whether to notify you of the winner of today's stage. Never while spoilers are hidden.",
            .toggle, default: "off"),
        SettingDefinition(
            .notifiesLeader, in: "Notifications", "Leader's jersey",
            "Whether to notify you when the leader's jersey changes hands. Never while spoilers are hidden.",
            .toggle, default: "off"),
        SettingDefinition(
            .authorities, in: "Network", "Authorities",
            "A file with certificates (PEM) of authorities to trust for https beside the system's, or none. 'CURL_CA_BUNDLE' and 'SSL_CERT_FILE' add theirs.",
            .text("a file, or none"), default: Settings.noFile),
        SettingDefinition(
            .digits, in: "Terminal", "Digits",
            "'segments': digits choose segments. 'counts': digits before a key repeat it, as in 5j, or name a row, as in 10G; Alt and a digit choose a segment. 'links': the same, and in articles a digit follows the link with this number.",
            .choice(["segments", "counts", "links"]), default: "segments"),
        SettingDefinition(
            .mouse, in: "Terminal", "Mouse",
            "Clicks, wheel and drags. With 'off', the terminal's own selection works without Shift.",
            .toggle, default: "on"),
        SettingDefinition(
            .ownKeys, in: "Terminal", "Own keys",
            "The keys bound on the Keys page, as 'command=key' with two spaces between them. They override [keys].",
            .text("commands with their keys"), default: "none"),
        SettingDefinition(
            .title, in: "Terminal", "Title",
            "Whether the title of the window or tmux pane shows the number of unread entries.",
            .toggle, default: "on"),
        SettingDefinition(
            .escapeTime, in: "Terminal", "Escape time",
            "Milliseconds to wait after Esc for the rest of an arrow or function key. Slow connections need more. Inside tmux at most 20, because tmux itself waits. Takes effect at the next start.",
            .number(1...2000, offered: [20, 50, 100, 200, 500], unit: "ms"), default: "100"),
    ]
}

extension SettingDefinition {
    fileprivate init<Value>(
        _ key: SettingKey<Value>, in section: String, _ title: String, _ explanation: String, _ kind: Kind,
        default defaultValue: String
    ) {
        self.init(
            name: key.name, section: section, title: title, explanation: explanation, kind: kind,
            defaultValue: defaultValue)
    }
}

extension Settings {
    /// The value of a setting that names no file.
    static let noFile = "none"

    /// The path of the file with authorities to trust beside the system's, or `nil` if there is none.
    package var fileOfAuthorities: String? {
        let file = self[.authorities]
        return file == Settings.noFile || file.isEmpty ? nil : UserFile.expanded(file)
    }

    /// Makes all requests from now on trust the authorities in that file.
    ///
    /// - Returns: The reason why the file names none.
    package func trustAuthorities() -> String? {
        Fetcher.trustAuthorities(inFile: fileOfAuthorities)
        return fileOfAuthorities.flatMap(Fetcher.problem(ofAuthorities:)).map {
            "\(SettingKey<String>.authorities.name): \($0)"
        }
    }
}

/// How lists and the bar show numbers of unread entries.
package enum CountStyle: String, CaseIterable, Sendable {
    case number, dot, none
}

extension Settings {
    /// How lists and the bar show numbers of unread entries.
    package var countStyle: CountStyle { CountStyle(rawValue: self[.counts]) ?? .number }
}
