/// A setting by its name, with the kind of its values: a name cannot be misspelt, nor a value misread.
package struct SettingKey<Value: Sendable>: Hashable, Sendable {
    /// The name in configuration files.
    package let name: String

    fileprivate init(_ name: String) { self.name = name }
}

extension SettingKey where Value == String {
    package static let theme = SettingKey("appearance.theme")
    package static let dateStyle = SettingKey("appearance.dates")
    package static let tallPanes = SettingKey("appearance.tall-panes")
    package static let narrowList = SettingKey("appearance.narrow-list")
    package static let listSide = SettingKey("appearance.list-side")
    package static let lists = SettingKey("appearance.lists")
    package static let pictureDetail = SettingKey("appearance.pictures")
    package static let startSegment = SettingKey("appearance.start")
    package static let entryOrder = SettingKey("feeds.order")
    package static let player = SettingKey("recordings.player")
    package static let recordingsFolder = SettingKey("recordings.folder")
    package static let links = SettingKey("feeds.links")
    package static let browser = SettingKey("feeds.browser")
    package static let startList = SettingKey("feeds.start")
    package static let notifications = SettingKey("notifications.by")
    package static let notifier = SettingKey("notifications.command")
    package static let quietHours = SettingKey("notifications.quiet-hours")
    package static let articlePictures = SettingKey("feeds.pictures")
    package static let colors = SettingKey("appearance.colors")
    package static let synchronizesOutput = SettingKey("terminal.synchronized")
}

extension SettingKey where Value == Bool {
    package static let motion = SettingKey("appearance.motion")
    package static let linear = SettingKey("appearance.linear")
    package static let followList = SettingKey("feeds.follow-list")
    package static let markReadOnOpen = SettingKey("feeds.mark-read-on-open")
    package static let excerpts = SettingKey("feeds.excerpts")
    package static let mergeDuplicates = SettingKey("feeds.fold-stories")
    package static let hideRead = SettingKey("feeds.hide-read")
    package static let tellsStart = SettingKey("notifications.stage-start")
    package static let tellsLastKilometres = SettingKey("notifications.stage-last-kilometres")
    package static let tellsResult = SettingKey("notifications.stage-result")
    package static let mouse = SettingKey("terminal.mouse")
    package static let title = SettingKey("terminal.title")
}

extension SettingKey where Value == Int {
    package static let measure = SettingKey("appearance.measure")
    package static let listWidth = SettingKey("appearance.list-width")
    package static let leastListWidth = SettingKey("appearance.list-least-width")
    package static let mostListWidth = SettingKey("appearance.list-most-width")
    package static let slideFrom = SettingKey("appearance.slide-from")
    package static let twoColumnsFrom = SettingKey("appearance.two-columns-from")
    package static let threeColumnsFrom = SettingKey("appearance.three-columns-from")
    package static let reloadMinutes = SettingKey("feeds.refresh")
    package static let rowLines = SettingKey("feeds.row-lines")
    package static let readAfter = SettingKey("feeds.read-after")
    package static let keepDays = SettingKey("feeds.keep-days")
    package static let keepEntries = SettingKey("feeds.keep-entries")
}

extension Settings {
    /// All that can be set, in the order of the settings segment.
    package static let definitions: [SettingDefinition] = [
        SettingDefinition(
            name: SettingKey<String>.theme.name, section: "Appearance", title: "Theme",
            explanation:
                "Colours of the whole program. 'terminal' is mixed from the terminal's own; your own are files in 'themes', beside the configuration.",
            kind: .named(["terminal", "dark", "light", "rosa", "high contrast", "monochrome"]),
            defaultValue: "terminal",
            previousValues: ["plain": "monochrome"]),
        SettingDefinition(
            name: SettingKey<String>.colors.name, section: "Appearance", title: "Colours",
            explanation: "How many colours to use. 'auto' takes all that the terminal has; at the next start.",
            kind: .choice(["auto", "direct", "256", "16", "none"]), defaultValue: "auto",
            previousName: "terminal.colors"),
        SettingDefinition(
            name: SettingKey<String>.dateStyle.name, section: "Appearance", title: "Dates",
            explanation: "How lists show dates: how long ago, the day, or day and time as ISO 8601 has them.",
            kind: .choice(["relative", "day", "iso"]), defaultValue: "relative"),
        SettingDefinition(
            name: SettingKey<Bool>.motion.name, section: "Appearance", title: "Motion",
            explanation:
                "Whether lists and levels are seen to slide. Over a slow line, and without colours, they never are.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<Bool>.linear.name, section: "Appearance", title: "Linear",
            explanation:
                "One column without lines and drawings, words in the place of marks, the cursor on what is chosen: for screen readers and braille lines.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<String>.pictureDetail.name, section: "Appearance", title: "Pictures",
            explanation:
                "How finely pictures are drawn once they rest. 'auto' gives the terminal the pixels in the way that it says it knows. Sextants need a font with the symbols of Unicode 13; kitty and sixel give the terminal the pixels, and are quadrants where it does not show them.",
            kind: .choice(["auto", "halves", "quadrants", "sextants", "kitty", "sixel"]), defaultValue: "auto"),
        SettingDefinition(
            name: SettingKey<Int>.measure.name, section: "Appearance", title: "Width of articles",
            explanation:
                "The columns that the lines of an article have at most; in wider panes it stands in the middle.",
            kind: .number(40...300, offered: [60, 72, 80, 92, 120], unit: "columns"), defaultValue: "80"),
        SettingDefinition(
            name: SettingKey<String>.startSegment.name, section: "Appearance", title: "Start with",
            explanation: "The segment that is shown at start; unless it is set, the feeds where there is no race.",
            kind: .choice(["stages", "feeds", "settings"]), defaultValue: "stages"),
        SettingDefinition(
            name: SettingKey<String>.lists.name, section: "Columns", title: "Lists",
            explanation:
                "Where there is room for it the list stands beside the detail, slides over it, moves it aside, or is out of sight until it is asked for.",
            kind: .choice(["beside", "over", "aside", "hidden"]), defaultValue: "beside"),
        SettingDefinition(
            name: SettingKey<Int>.listWidth.name, section: "Columns", title: "List width",
            explanation:
                "The list's share of the pane, where it stands beside the detail. The keys that make it narrower and wider set it too.",
            kind: .number(20...70, offered: [26, 30, 34, 38, 42, 46, 50], unit: "%"), defaultValue: "38"),
        SettingDefinition(
            name: SettingKey<Int>.leastListWidth.name, section: "Columns", title: "Least list width",
            explanation: "Columns that a list has at least, where the pane has twice as many.",
            kind: .number(10...120, offered: [20, 26, 32, 40], unit: "columns"), defaultValue: "26"),
        SettingDefinition(
            name: SettingKey<Int>.mostListWidth.name, section: "Columns", title: "Greatest list width",
            explanation: "Columns that a list has at most.",
            kind: .number(20...300, offered: [40, 56, 70, 90], unit: "columns"), defaultValue: "56"),
        SettingDefinition(
            name: SettingKey<String>.tallPanes.name, section: "Columns", title: "Tall narrow panes",
            explanation:
                "In narrow panes of 30 rows or more: the list slides over the detail, or stands above it.",
            kind: .choice(["slide", "above"]), defaultValue: "slide"),
        SettingDefinition(
            name: SettingKey<String>.narrowList.name, section: "Columns", title: "Narrow panes",
            explanation:
                "In narrow panes: the list slides over the detail, or is a popover at its button.",
            kind: .choice(["slide", "popover"]), defaultValue: "slide"),
        SettingDefinition(
            name: SettingKey<String>.listSide.name, section: "Columns", title: "List side",
            explanation: "The side that the lists stand on.", kind: .choice(["left", "right"]), defaultValue: "left"),
        SettingDefinition(
            name: SettingKey<Int>.slideFrom.name, section: "Columns", title: "Sliding list from",
            explanation:
                "Columns from which a pane is narrow: the detail with the list sliding over it, not one stack.",
            kind: .number(20...400, offered: [50, 58, 66], unit: "columns"), defaultValue: "58"),
        SettingDefinition(
            name: SettingKey<Int>.twoColumnsFrom.name, section: "Columns", title: "Two columns from",
            explanation: "Columns from which a pane shows the list beside the detail.",
            kind: .number(40...400, offered: [60, 78, 90, 110], unit: "columns"), defaultValue: "78"),
        SettingDefinition(
            name: SettingKey<Int>.threeColumnsFrom.name, section: "Columns", title: "Three columns from",
            explanation: "Columns from which a pane shows two lists beside the detail.",
            kind: .number(100...500, offered: [120, 148, 180, 220], unit: "columns"), defaultValue: "148"),
        SettingDefinition(
            name: SettingKey<Int>.reloadMinutes.name, section: "Feeds", title: "Reload every",
            explanation:
                "Minutes between reloads while tappa runs; 0 reloads only when asked to. Before you have added a feed nothing is fetched by itself, nor in quiet hours.",
            kind: .number(0...1440, offered: [0, 15, 30, 60, 120, 360], unit: "min", zero: "off"), defaultValue: "60"),
        SettingDefinition(
            name: SettingKey<String>.entryOrder.name, section: "Feeds", title: "Order",
            explanation: "Which entries come first in lists.",
            kind: .choice(["newest first", "oldest first"]), defaultValue: "newest first"),
        SettingDefinition(
            name: SettingKey<String>.startList.name, section: "Feeds", title: "Start with the list",
            explanation:
                "The row that is chosen at start, where a pane has no earlier one: the name of a list, a kept search, a folder, a tag or a feed.",
            kind: .text("the name of a row, or 'the first feed'"), defaultValue: "the first feed"),
        SettingDefinition(
            name: SettingKey<Int>.rowLines.name, section: "Feeds", title: "Lines of a title",
            explanation: "The most lines that a row of a list of entries has for its title.",
            kind: .number(1...3, offered: [1, 2, 3], unit: "lines"), defaultValue: "1"),
        SettingDefinition(
            name: SettingKey<Bool>.followList.name, section: "Feeds", title: "Follow the list",
            explanation:
                "Whether the chosen entry is shown beside the list, where there is room, without being opened.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<Int>.readAfter.name, section: "Feeds", title: "Mark read after",
            explanation:
                "Seconds after which an entry that is shown beside its list is marked read; off: once it is opened.",
            kind: .number(0...600, offered: [0, 2, 5, 10, 30], unit: "s", zero: "off"), defaultValue: "0"),
        SettingDefinition(
            name: SettingKey<Bool>.markReadOnOpen.name, section: "Feeds", title: "Mark read on opening",
            explanation: "Whether opening an entry marks it read.", kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<String>.articlePictures.name, section: "Feeds", title: "Pictures in articles",
            explanation:
                "Whether articles show their pictures in the text, each fetched when its place comes near, or on request alone: P.",
            kind: .choice(["shown", "on request"]), defaultValue: "shown"),
        SettingDefinition(
            name: SettingKey<String>.links.name, section: "Feeds", title: "Links in articles",
            explanation:
                "Where a link that is followed is read: here, with a way back, or in the browser. A capital letter at f takes the other way.",
            kind: .choice(["here", "in the browser"]), defaultValue: "here"),
        SettingDefinition(
            name: SettingKey<String>.browser.name, section: "Feeds", title: "Browser",
            explanation:
                "The program that opens links, with its arguments; %s stands for the link, which else comes last. BROWSER takes that of the environment, or the desktop's.",
            kind: .program("a program with its arguments, or BROWSER"), defaultValue: "BROWSER"),
        SettingDefinition(
            name: SettingKey<Bool>.excerpts.name, section: "Feeds", title: "Excerpts",
            explanation:
                "Whether the rows of entries show how these begin: in lists of 40 columns and 15 lines at least, where titles have one line.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<Bool>.mergeDuplicates.name, section: "Feeds", title: "Fold stories",
            explanation:
                "Lists of several feeds show one row for entries that link to the same page, with their number.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<Bool>.hideRead.name, section: "Feeds", title: "Hide what is read",
            explanation: "Whether the list leaves out feeds, folders and tags without unread entries.", kind: .toggle,
            defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<Int>.keepDays.name, section: "Feeds", title: "Keep for",
            explanation: "Days that entries are kept; 0 keeps all. Starred ones and those for later always stay.",
            kind: .number(0...36_500, offered: [0, 30, 90, 180, 365, 730], unit: "days", zero: "all"), defaultValue: "0"
        ),
        SettingDefinition(
            name: SettingKey<Int>.keepEntries.name, section: "Feeds", title: "Keep of a feed",
            explanation:
                "Entries that are kept of each feed; 0 keeps all. Starred ones and those for later always stay.",
            kind: .number(0...1_000_000, offered: [0, 100, 500, 1000, 5000], unit: "entries", zero: "all"),
            defaultValue: "0"),
        SettingDefinition(
            name: SettingKey<String>.player.name, section: "Recordings", title: "Player",
            explanation:
                "The program that plays recordings, with its arguments; %s stands for the address, which else comes last. It has the pane until it ends.",
            kind: .program("a program with its arguments"), defaultValue: "mpv"),
        SettingDefinition(
            name: SettingKey<String>.recordingsFolder.name, section: "Recordings", title: "Folder",
            explanation: "Where downloaded recordings are kept.",
            kind: .text("a folder"), defaultValue: "~/Podcasts"),
        SettingDefinition(
            name: SettingKey<String>.notifications.name, section: "Notifications", title: "Tell by",
            explanation:
                "How new entries are told to who does not look at the pane, where a rule or a feed's options want it: in the terminal's own way (in tmux its bell), by a command, or not. One for each reload.",
            kind: .choice(["terminal", "command", "off"]), defaultValue: "terminal"),
        SettingDefinition(
            name: SettingKey<String>.notifier.name, section: "Notifications", title: "Command",
            explanation: "The program that tells, with its arguments; the title and the text come after them.",
            kind: .program("a program with its arguments"), defaultValue: "notify-send"),
        SettingDefinition(
            name: SettingKey<String>.quietHours.name, section: "Notifications", title: "Quiet hours",
            explanation:
                "From when to when nothing is told and nothing reloaded by itself, such as 22-7 or 22:30-6:45; or none.",
            kind: .hours, defaultValue: QuietHours.none),
        SettingDefinition(
            name: SettingKey<Bool>.tellsStart.name, section: "Notifications", title: "A stage starts",
            explanation: "Whether the start of today's stage is told, of races that tell its time.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<Bool>.tellsLastKilometres.name, section: "Notifications", title: "Ten kilometres to go",
            explanation: "Whether it is told when ten kilometres of today's stage are left, of races with a ticker.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<Bool>.tellsResult.name, section: "Notifications", title: "A stage's result",
            explanation: "Whether it is told who has won today's stage; never while results are hidden.",
            kind: .toggle, defaultValue: "off"),
        SettingDefinition(
            name: SettingKey<Bool>.mouse.name, section: "Terminal", title: "Mouse",
            explanation: "Clicks, wheel and drags. Off, the terminal's own selection works without Shift.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<Bool>.title.name, section: "Terminal", title: "Title",
            explanation: "Whether the window, or tmux's pane, is named after the program and its unread entries.",
            kind: .toggle, defaultValue: "on"),
        SettingDefinition(
            name: SettingKey<String>.synchronizesOutput.name, section: "Terminal", title: "Synchronised output",
            explanation:
                "Marks the beginning and end of each frame, for terminals that then show it at once. 'auto' does so where the terminal says that it knows the marks; at the next start.",
            kind: .choice(["auto", "on", "off"]), defaultValue: "auto"),
    ]
}
