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
    package static let tallPanes = SettingKey("appearance.tall-panes")
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
            name: SettingKey<String>.theme.name, section: "Appearance", title: "Theme",
            explanation:
                "The program's colours. 'terminal' mixes them from the terminal's own. Your own themes are files in 'themes', next to the configuration file.",
            kind: .named(["terminal", "dark", "light", "rosa", "high contrast", "monochrome"]),
            defaultValue: "terminal"),
        SettingDefinition(
            name: SettingKey<String>.colors.name, section: "Appearance", title: "Colours",
            explanation:
                "How many colours to use. 'auto' uses all that the terminal has. Takes effect at the next start.",
            kind: .choice(["auto", "direct", "256", "16", "none"]), defaultValue: "auto"),
        SettingDefinition(
            name: SettingKey<String>.dateStyle.name, section: "Appearance", title: "Dates",
            explanation: "How lists show dates: as an age, as a day, or as date and time (ISO 8601).",
            kind: .choice(["relative", "day", "iso"]), defaultValue: "relative"),
        SettingDefinition(
            name: SettingKey<String>.counts.name, section: "Appearance", title: "Counts",
            explanation: "How lists and the bar show unread entries: as a number, as a dot, or not at all.",
            kind: .choice(CountStyle.allCases.map(\.rawValue)), defaultValue: CountStyle.number.rawValue),
        SettingDefinition(
            name: SettingKey<Bool>.motion.name, section: "Appearance", title: "Motion",
            explanation:
                "Whether lists and views slide in. Always off over slow lines and without colours.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<Bool>.linear.name, section: "Appearance", title: "Screen-reader mode",
            explanation:
                "For screen readers and braille displays: one column without lines or drawings, words in place of signs, the cursor on the selection.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<String>.pictureDetail.name, section: "Appearance", title: "Pictures",
            explanation:
                "How to draw pictures. 'auto' uses the best method that the terminal reports. 'sextants' needs a font with the symbols of Unicode 13. 'kitty' and 'sixel' draw pixels, or quadrants if the terminal can't.",
            kind: .choice(["auto", "halves", "quadrants", "sextants", "kitty", "sixel"]), defaultValue: "auto"),
        SettingDefinition(
            name: SettingKey<Int>.articleWidth.name, section: "Appearance", title: "Width of articles",
            explanation:
                "The maximum width of an article, in columns. In wider panes it is centred.",
            kind: .number(40...300, offered: [60, 72, 80, 92, 120], unit: "columns"), defaultValue: "80"),
        SettingDefinition(
            name: SettingKey<String>.segments.name, section: "Appearance", title: "Segments",
            explanation:
                "The segments of the bar, from left to right. Each can be a list, a folder, a tag, a search, a feed or a race. Digits and Tab follow this order.",
            kind: .places, defaultValue: SegmentName.allCases.map(\.rawValue).joined(separator: " ")),
        SettingDefinition(
            name: SettingKey<String>.startSegment.name, section: "Appearance", title: "Start with",
            explanation:
                "The segment at start. 'automatic' is Stages on the day of a stage, otherwise Feeds if you have any.",
            kind: .choice([SettingKey<String>.automaticStart] + SegmentName.allCases.map(\.rawValue)),
            defaultValue: SettingKey<String>.automaticStart),
        SettingDefinition(
            name: SettingKey<Bool>.accessory.name, section: "Appearance", title: "Current events",
            explanation:
                "Whether a line above all segments shows the live stage, what is played, long reloads, syncs and imports, and accounts that need a password.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<String>.lists.name, section: "Columns", title: "Lists",
            explanation:
                "In wide panes: the list is beside the detail, slides over it, pushes it aside, or is hidden until you show it.",
            kind: .choice(["beside", "over", "aside", "hidden"]), defaultValue: "beside"),
        SettingDefinition(
            name: SettingKey<Int>.listWidth.name, section: "Columns", title: "List width",
            explanation:
                "The list's share of the pane's width. The keys that narrow and widen the list change this setting. Unless you set it, lists are never very narrow or very wide.",
            kind: .number(20...70, offered: [26, 30, 34, 38, 42, 46, 50], unit: "%"), defaultValue: "38"),
        SettingDefinition(
            name: SettingKey<String>.tallPanes.name, section: "Columns", title: "Tall narrow panes",
            explanation:
                "In narrow panes of 30 or more rows: the list slides over the detail, or is above it.",
            kind: .choice(["slide", "above"]), defaultValue: "slide"),
        SettingDefinition(
            name: SettingKey<String>.narrowList.name, section: "Columns", title: "Narrow panes",
            explanation:
                "In narrow panes: the list slides over the detail, or opens as a popover.",
            kind: .choice(["slide", "popover"]), defaultValue: "slide"),
        SettingDefinition(
            name: SettingKey<String>.listSide.name, section: "Columns", title: "List side",
            explanation: "The side of the pane that lists are on.", kind: .choice(["left", "right"]),
            defaultValue: "left"),
        SettingDefinition(
            name: SettingKey<Int>.twoColumnsFrom.name, section: "Columns", title: "Two columns from",
            explanation: "From this many columns, the list is beside the detail.",
            kind: .number(40...400, offered: [60, 78, 90, 110], unit: "columns"), defaultValue: "78"),
        SettingDefinition(
            name: SettingKey<Int>.threeColumnsFrom.name, section: "Columns", title: "Three columns from",
            explanation: "From this many columns, two lists are beside the detail.",
            kind: .number(100...500, offered: [120, 148, 180, 220], unit: "columns"), defaultValue: "148"),
        SettingDefinition(
            name: SettingKey<Int>.reloadMinutes.name, section: "Feeds", title: "Reload every",
            explanation:
                "Minutes between automatic reloads; 0 turns them off. tappa never reloads automatically in quiet hours or before you have added a feed.",
            kind: .number(0...1440, offered: [0, 15, 30, 60, 120, 360], unit: "min", zero: "off"), defaultValue: "60"),
        SettingDefinition(
            name: SettingKey<String>.entryOrder.name, section: "Feeds", title: "Order",
            explanation: "Which entries are first in lists.",
            kind: .choice(EntryOrder.settings.map(\.value)), defaultValue: "newest first"),
        SettingDefinition(
            name: SettingKey<String>.feedOrder.name, section: "Feeds", title: "Order of feeds",
            explanation: "The order of feeds within folders and tags: your own, by unread entries, or by title.",
            kind: .choice(FeedSorting.allCases.map(\.rawValue)), defaultValue: FeedSorting.own.rawValue),
        SettingDefinition(
            name: SettingKey<String>.startList.name, section: "Feeds", title: "Start with the list",
            explanation:
                "The row that a new pane selects at start: the name of a list, saved search, folder, tag or feed. 'automatic' is Unread if there is any, otherwise the first feed.",
            kind: .text("the name of a row, 'the first feed' or 'automatic'"), defaultValue: "automatic"),
        SettingDefinition(
            name: SettingKey<Int>.rowLines.name, section: "Feeds", title: "Lines of a title",
            explanation: "The maximum number of lines for a title in a list of entries.",
            kind: .number(1...3, offered: [1, 2, 3], unit: "lines"), defaultValue: "1"),
        SettingDefinition(
            name: SettingKey<Bool>.followList.name, section: "Feeds", title: "Follow the list",
            explanation:
                "Whether the detail shows the selected entry without opening it.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<Int>.readAfter.name, section: "Feeds", title: "Mark read after",
            explanation:
                "Seconds after which an entry beside its list is marked as read. 'off' marks it only when you open it.",
            kind: .number(0...600, offered: [0, 2, 5, 10, 30], unit: "s", zero: "off"), defaultValue: "0"),
        SettingDefinition(
            name: SettingKey<Bool>.markReadOnOpen.name, section: "Feeds", title: "Mark read on opening",
            explanation: "Whether opening an entry marks it as read.", kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<Bool>.markReadOnScroll.name, section: "Feeds", title: "Mark read on scrolling",
            explanation: "Whether entries are marked as read when you scroll past them in a list.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<String>.articlePictures.name, section: "Feeds", title: "Pictures in articles",
            explanation:
                "Whether articles show their pictures, each loaded when you scroll near it, or only on request.",
            kind: .choice(["shown", "on request"]), defaultValue: "shown"),
        SettingDefinition(
            name: SettingKey<String>.links.name, section: "Feeds", title: "Links in articles",
            explanation:
                "Where links open: here or in the browser. The capital letter of a link's hint opens it the other way.",
            kind: .choice(["here", "in the browser"]), defaultValue: "here"),
        SettingDefinition(
            name: SettingKey<String>.browser.name, section: "Feeds", title: "Browser",
            explanation:
                "The program that opens links, with its arguments. %s is replaced by the link; without it, the link is the last argument. 'BROWSER' uses the environment variable, or the desktop's browser.",
            kind: .program("a program with its arguments, or BROWSER"), defaultValue: "BROWSER"),
        SettingDefinition(
            name: SettingKey<Bool>.excerpts.name, section: "Feeds", title: "Excerpts",
            explanation:
                "Whether lists show the beginning of each entry. Needs 40 columns, 15 lines and titles of one line.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<Bool>.mergeDuplicates.name, section: "Feeds", title: "Merge duplicates",
            explanation:
                "Whether lists show one row for entries from several feeds that link to the same page.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<Bool>.hideRead.name, section: "Feeds", title: "Hide read feeds",
            explanation: "Whether the list hides feeds, folders and tags without unread entries.", kind: .toggle,
            defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<Int>.keepDays.name, section: "Feeds", title: "Keep entries for",
            explanation: "Days to keep entries; 0 keeps all. Starred and read-later entries always stay.",
            kind: .number(0...36_500, offered: [0, 30, 90, 180, 365, 730], unit: "days", zero: "all"), defaultValue: "0"
        ),
        SettingDefinition(
            name: SettingKey<Int>.keepEntries.name, section: "Feeds", title: "Entries per feed",
            explanation:
                "The maximum number of entries per feed; 0 keeps all. Starred and read-later entries always stay.",
            kind: .number(0...1_000_000, offered: [0, 100, 500, 1000, 5000], unit: "entries", zero: "all"),
            defaultValue: "0"),
        SettingDefinition(
            name: SettingKey<String>.player.name, section: "Media", title: "Player",
            explanation:
                "The program that plays audio and video, with its arguments. %s is replaced by the address; without it, the address is the last argument. It uses the pane until it quits.",
            kind: .program("a program with its arguments"), defaultValue: "mpv"),
        SettingDefinition(
            name: SettingKey<String>.mediaFolder.name, section: "Media", title: "Folder",
            explanation:
                "The folder for downloaded audio and video. %n is replaced by the name of the feed, %h by its host.",
            kind: .text("a folder"), defaultValue: "~/Podcasts"),
        SettingDefinition(
            name: SettingKey<String>.notifications.name, section: "Notifications", title: "Notify by",
            explanation:
                "How to notify you of new entries while the pane has no focus, if a rule or feed asks for it: by the terminal (in tmux its bell), a command, or not at all. Once per reload.",
            kind: .choice(["terminal", "command", "off"]), defaultValue: "terminal"),
        SettingDefinition(
            name: SettingKey<String>.notifier.name, section: "Notifications", title: "Command",
            explanation: "The program that shows notifications, with its arguments. Title and text are appended.",
            kind: .program("a program with its arguments"), defaultValue: "notify-send"),
        SettingDefinition(
            name: SettingKey<String>.quietHours.name, section: "Notifications", title: "Quiet hours",
            explanation:
                "Hours without notifications and automatic reloads, such as 22-7 or 22:30-6:45, or none.",
            kind: .hours, defaultValue: QuietHours.none),
        SettingDefinition(
            name: SettingKey<Bool>.notifiesStart.name, section: "Notifications", title: "Stage start",
            explanation: "Whether to notify you when today's stage starts, if the race has its time.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<Bool>.notifiesLastKilometres.name, section: "Notifications", title: "Last ten kilometres",
            explanation: "Whether to notify you ten kilometres before today's finish, if the race has a ticker.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<Bool>.notifiesResult.name, section: "Notifications", title: "Stage result",
            explanation: "Whether to notify you of the winner of today's stage. Never while spoilers are hidden.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<Bool>.notifiesLeader.name, section: "Notifications", title: "Leader's jersey",
            explanation:
                "Whether to notify you when the leader's jersey changes hands. Never while spoilers are hidden.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<String>.authorities.name, section: "Network", title: "Authorities",
            explanation:
                "A file with certificates (PEM) of authorities to trust for https beside the system's, or none. 'CURL_CA_BUNDLE' and 'SSL_CERT_FILE' add theirs.",
            kind: .text("a file, or none"), defaultValue: Settings.noFile),
        SettingDefinition(
            name: SettingKey<String>.digits.name, section: "Terminal", title: "Digits",
            explanation:
                "'segments': digits choose segments. 'counts': digits before a key repeat it, as in 5j, or name a row, as in 10G; Alt and a digit choose a segment. 'links': the same, and in articles a digit follows the link with this number.",
            kind: .choice(["segments", "counts", "links"]), defaultValue: "segments"),
        SettingDefinition(
            name: SettingKey<Bool>.mouse.name, section: "Terminal", title: "Mouse",
            explanation: "Clicks, wheel and drags. With 'off', the terminal's own selection works without Shift.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<String>.ownKeys.name, section: "Terminal", title: "Own keys",
            explanation:
                "The keys bound on the Keys page, as 'command=key' with two spaces between them. They override [keys].",
            kind: .text("commands with their keys"), defaultValue: "none"),
        SettingDefinition(
            name: SettingKey<Bool>.title.name, section: "Terminal", title: "Title",
            explanation: "Whether the title of the window or tmux pane shows the number of unread entries.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<Int>.escapeTime.name, section: "Terminal", title: "Escape time",
            explanation:
                "Milliseconds to wait after Esc for the rest of an arrow or function key. Slow connections need more. Inside tmux at most 20, because tmux itself waits. Takes effect at the next start.",
            kind: .number(1...2000, offered: [20, 50, 100, 200, 500], unit: "ms"), defaultValue: "100"),
    ]
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
