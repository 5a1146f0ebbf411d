import ModelCore
import TerminalText
import TerminalUI
import Testing

@testable import Configuration

/// Newsboat's `config`, command by command: what each is converted to, and why some are not.
@Suite struct ImportsNewsboatsConfiguration {
    /// Newsboat's operations with the corresponding commands.
    private static let operations = [
        "quit": "program.quit", "hard-quit": "program.quitNow", "help": "program.help", "redraw": "program.redraw",
        "up": "list.up", "down": "list.down", "prev": "entry.previous", "next": "entry.next",
        "next-unread": "entry.nextUnread", "prev-unread": "entry.previousUnread", "open": "list.open",
        "open-in-browser": "entry.browser",
        "open-in-browser-and-mark-read": "entry.browser", "toggle-article-read": "entry.toggleRead",
        "mark-feed-read": "feed.markAllRead", "mark-all-articles-read": "entry.markAllRead", "reload": "feed.reload",
        "reload-all": "feeds.reloadAll", "open-search": "feed.search", "delete-article": "entry.delete",
        "save": "entry.save", "show-urls": "entry.follow", "goto-url": "entry.link", "enqueue": "entry.download",
        "home": "list.first", "end": "list.last", "pagedown": "text.pageDown", "pageup": "text.pageUp",
        "set-tag": "feed.tags", "edit-flags": "entry.toggleStar",
    ]

    /// The commands with each in its own place, so that no keys conflict.
    private static let known = ConfigurationFile.Commands(
        CommandTable(
            Set(operations.values).sorted().map { CommandDefinition($0, "X", keys: [], place: DisplayText($0)) }))

    private func read(
        _ text: String, besides own: String = "", for known: ConfigurationFile.Commands = Self.known,
        include: (String) -> String? = { _ in nil }
    ) -> NewsboatConfiguration {
        NewsboatConfiguration(
            text, besides: ConfigurationFile.parse(own, path: "own", for: known), for: known, include: include)
    }

    /// Returns the written text as it is loaded again.
    private func loaded(
        _ newsboat: NewsboatConfiguration, for known: ConfigurationFile.Commands = Self.known
    ) -> ConfigurationFile {
        let file = ConfigurationFile.parse(newsboat.text(withTheme: false), path: "new", for: known)
        #expect(file.problems.isEmpty, "\(newsboat.text(withTheme: newsboat.theme != nil))")
        return file
    }

    // MARK: Keys

    @Test func mapsEachOperationToItsCommand() {
        for (operation, command) in Self.operations {
            for name in [operation, operation.uppercased()] {
                let newsboat = read("bind-key x \(name)")
                #expect(loaded(newsboat).keyMap == KeyMap([command: ["x"]]), "\(name)")
                #expect(newsboat.came == ["bind-key x \(name): \(command)"])
                #expect(newsboat.left.isEmpty && newsboat.changed.isEmpty)
            }
        }
    }

    @Test(
        arguments: [
            ("x", "x"), ("X", "X"), ("^R", "ctrl-r"), ("^r", "ctrl-r"), ("\" \"", "space"), ("\"#\"", "#"),
            ("\";\"", ";"),
            ("ENTER", "enter"), ("enter", "enter"), ("SPACE", "space"), ("TAB", "tab"), ("ESC", "esc"),
            ("BACKSPACE", "backspace"),
            ("UP", "up"), ("DOWN", "down"), ("LEFT", "left"), ("RIGHT", "right"), ("HOME", "home"), ("END", "end"),
            ("NPAGE", "pagedown"), ("PPAGE", "pageup"), ("PAGEDOWN", "pagedown"), ("PAGEUP", "pageup"),
            ("DELETE", "delete"),
            ("F1", "f1"), ("f12", "f12"), ("F0", nil), ("F13", nil), ("^RR", nil), ("NONE", nil),
        ] as [(String, String?)])
    func readsEveryKeyName(key: String, name: String?) {
        let newsboat = read("bind-key \(key) save")
        let expected: KeyMap =
            name.map { name in KeyMap(["entry.save": [KeySequence(name)].compactMap { $0 }]) } ?? KeyMap()
        #expect(loaded(newsboat).keyMap == expected, "\(key)")
        #expect(newsboat.left.isEmpty == (name != nil))
        if name == nil { #expect(newsboat.left[0].hasSuffix(": terminals can't distinguish this key")) }
    }

    @Test(arguments: [
        ("bind-key x", "missing operation"), ("bind-key x random-unread", "no such command: 'random-unread'"),
        ("bind-key x save podboat", "tappa has no equivalent of the context 'podboat'"),
        ("bind-key x save article podboat", "tappa has no equivalent of the context 'podboat'"),
        ("unbind-key x", "bind the command to other keys in [keys] instead"),
        ("bind-key B bookmark", "no such command: 'user.bookmark'"),
        ("macro", "missing key"), ("macro v set-filter ; open", "tappa has no equivalent of 'set-filter'"),
        ("macro v", "tappa has no equivalent of its operations"),
        ("macro v set reload-threads 4 ; reload-all", "tappa has no equivalent of the setting 'reload-threads'"),
        ("ignore-article x", "missing filter"),
        ("color article white", "missing colours"), ("reload-time", "no equivalent"),
    ]) func saysWhyALineIsNotImported(line: String, reason: String) {
        let newsboat = read(line)
        #expect(newsboat.left == ["\(line): \(reason)"])
        #expect(
            newsboat.text(withTheme: newsboat.theme != nil).isEmpty && newsboat.came.isEmpty && newsboat.changed.isEmpty
        )
    }

    /// Names of secrets appear, their values don't, in whatever line.
    @Test(
        arguments: [
            ("ttrss-password hush", "ttrss-password: no equivalent"),
            ("TTRSS-PASSWORD \"hush hush\"", "TTRSS-PASSWORD: no equivalent"),
            ("freshrss-passwordeval \"gpg hush\"", "freshrss-passwordeval: no equivalent"),
            ("miniflux-token hush", "miniflux-token: no equivalent"),
            ("proxy-auth a:hush", "proxy-auth: no equivalent"),
            ("cookie-cache /home/hush", "cookie-cache: no equivalent"), ("unknown hush", "unknown: no equivalent"),
            ("http-auth-method hush", "http-auth-method: no equivalent"),
            ("macro v set ttrss-password hush ; open", "macro v set ttrss-password …: "),
            (
                "macro v set no-such-setting http://a:hush@b.example/ ; open",
                "macro v set no-such-setting http://…@b.example/ ; "
            ),
            ("bookmark-cmd \"bm --token hush\"", "bookmark-cmd bm --token …: "),
            ("bookmark-cmd \"curl -H 'Authorization: Bearer hush'\"", "bookmark-cmd curl -H 'Authorization …: "),
            ("bookmark-cmd \"curl -u me:hush https://b.example/\"", "bookmark-cmd curl -u …: "),
            (
                "bookmark-cmd \"curl https://b.example/?api_key=hush\"",
                "bookmark-cmd curl https://b.example/?api_key …: "
            ),
            ("browser \"w3m http://a:hush@b.example/%u\"", "browser w3m http://…@b.example/%u"),
            ("proxy me:hush@b.example:8080", "proxy …: use the variables"),
            ("bind-key x save https://me:p@hush@b.example/", "bind-key x save https://…@b.example/: "),
        ])
    func showsNoSecrets(line: String, beginning: String) {
        let newsboat = read(line)
        let told = newsboat.came + newsboat.changed + newsboat.left
        #expect(!told.contains { $0.contains("hush") }, "\(told)")
        #expect(told.contains { $0.hasPrefix(beginning) }, "\(told)")
        let newsraft = NewsboatConfiguration(
            newsraft: "set \(line)\nbind x exec \(line)", for: ConfigurationFile.Commands(CommandTable([])))
        let others = newsraft.came + newsraft.changed + newsraft.left
        #expect(
            !others.isEmpty
                && !others.contains { $0.contains("hush") && !line.hasPrefix("unknown") },
            "\(others)")
    }

    @Test func readsALimitedNumberOfLines() {
        let many = read(String(repeating: "bind-key x no-such\n", count: 3000))
        #expect(many.left.count == 2001 && many.left[0] == "what follows the first 2000 lines: too many")
        let long = read("no-such \(String(repeating: "x", count: 5000))\nreload-time 5")
        #expect(long.left == ["no-such: longer than 4 KiB"] && long.settings == ["feeds.refresh": "5"])
        let large = read(String(repeating: "#\n", count: 600_000) + "reload-time 5")
        #expect(large.left == ["what follows the first 1 MiB of a file: too long"] && large.settings.isEmpty)
    }

    @Test(arguments: ["everywhere", "all", "feedlist", "articlelist", "searchresultslist", "article", "ARTICLE"])
    func importsKeysOfKnownContexts(place: String) {
        #expect(loaded(read("bind-key x save \(place)")).keyMap == KeyMap(["entry.save": ["x"]]))
    }

    /// The user's own keys and earlier lines take precedence; another key for the same command is added.
    @Test func keepsKeysBoundEarlier() {
        let known = ConfigurationFile.Commands(
            CommandTable([
                CommandDefinition("entry.save", "Save", keys: ["a"], place: "entries"),
                CommandDefinition("entry.delete", "Delete", keys: ["d", "D"], place: "entries"),
                CommandDefinition("list.open", "Open", keys: ["o"], place: "entries"),
            ]))
        let two = read("bind-key x save\nbind-key y save\nbind-key x save\nbind-key x delete-article", for: known)
        #expect(loaded(two, for: known).keyMap == KeyMap(["entry.save": ["a", "x", "y"]]))
        #expect(two.left == ["bind-key x delete-article: 'x' for entry.delete is entry.save in entries"])
        // A default key of another command moves to the imported one; the other command keeps its remaining keys.
        let taken = read("bind-key d save\nbind-key a open", for: known)
        #expect(
            loaded(taken, for: known).keyMap
                == KeyMap(["entry.save": ["d"], "list.open": ["o", "a"], "entry.delete": ["D"]]))
        #expect(
            taken.changed == [
                "bind-key d save: entry.delete loses the key 'd'", "bind-key a open: entry.save loses the key 'a'",
            ])
        let last = read("bind-key o save", for: known)
        #expect(last.changed == ["bind-key o save: list.open loses the key 'o' and gets 'O'"])
        #expect(loaded(last, for: known).keyMap == KeyMap(["entry.save": ["a", "o"], "list.open": ["O"]]))
        // Keys of the user's configuration stay.
        let own = read(
            "bind-key z save\nbind-key d open", besides: "[keys]\nentry.save = \"s\"\nentry.delete = \"d\"", for: known)
        #expect(
            own.left == [
                "bind-key z save: the configuration already binds entry.save",
                "bind-key d open: 'd' for list.open is entry.delete in entries",
            ])
        #expect(own.text(withTheme: own.theme != nil).isEmpty)
    }

    // MARK: Settings

    @Test(
        arguments: [
            ("reload-time 0", "feeds.refresh", "0"), ("reload-time 1440", "feeds.refresh", "1440"),
            ("reload-time 1441", "", ""),
            ("reload-time -1", "", ""), ("reload-time soon", "", ""), ("RELOAD-TIME 5", "feeds.refresh", "5"),
            ("auto-reload yes", "feeds.refresh", "60"), ("auto-reload TRUE", "feeds.refresh", "60"),
            ("auto-reload no", "feeds.refresh", "0"), ("reload-time 20\nauto-reload yes", "feeds.refresh", "20"),
            ("reload-time 20\nauto-reload no", "feeds.refresh", "0"),
            ("auto-reload no\nreload-time 20", "feeds.refresh", "0"), ("show-read-feeds no", "feeds.hide-read", "on"),
            ("show-read-feeds yes", "feeds.hide-read", "off"),
            ("feed-sort-order unreadarticlecount-asc", "feeds.feed-order", "unread first"),
            ("download-path \"%n\"", "", ""), ("download-path \"~/pods/%h/by %n\"", "audio.folder", "~/pods/%h/by %n"),
            ("article-sort-order date", "feeds.order", "newest first"),
            ("article-sort-order date-desc", "feeds.order", "newest first"),
            ("article-sort-order date-asc", "feeds.order", "oldest first"), ("article-sort-order title", "", ""),
            ("text-width 40", "appearance.article-width", "40"), ("text-width 300", "appearance.article-width", "300"),
            ("text-width 39", "", ""), ("text-width 301", "", ""),
            ("max-items 50", "feeds.keep-entries", "50"), ("max-items 1000001", "", ""),
            ("keep-articles-days 0", "feeds.keep-days", "0"), ("keep-articles-days 36500", "feeds.keep-days", "36500"),
            ("keep-articles-days 36501", "", ""), ("mark-as-read-on-hover yes", "feeds.read-after", "2"),
            ("mark-as-read-on-hover no", "feeds.read-after", "0"),
            ("browser \"w3m -o x %u\"", "feeds.browser", "w3m -o x %s"),
            ("browser firefox", "feeds.browser", "firefox"), ("player \"mpv -x\"", "audio.player", "mpv -x"),
            ("download-path ~/pods", "audio.folder", "~/pods"),
        ])
    func mapsEachOptionToItsSetting(text: String, name: String, value: String) {
        let newsboat = read(text)
        #expect(loaded(newsboat).settings == (name.isEmpty ? [:] : [name: value]))
        // Lines overridden by a later one are not reported as left out.
        #expect(newsboat.left.count == (name.isEmpty ? 1 : 0))
        #expect(newsboat.came.count == (name.isEmpty ? 0 : text.split(separator: "\n").count))
    }

    /// What a folder can't contain ends it, and the report says so.
    @Test func endsAPathBeforeTheNameOfADownload() {
        let newsboat = read("download-path \"/a/%n/%F/%h\"")
        #expect(loaded(newsboat).settings == ["audio.folder": "/a/%n"] && newsboat.came.isEmpty)
        #expect(
            newsboat.changed == [
                "download-path /a/%n/%F/%h: a folder can contain only %n and %h: audio.folder = \"/a/%n\""
            ])
    }

    @Test func theLastLineWinsOverEarlierOnes() {
        #expect(loaded(read("reload-time 5\nreload-time 6\nreload-time 7")).settings == ["feeds.refresh": "7"])
        let own = read("reload-time 5\ntext-width 80", besides: "[feeds]\nrefresh = 9")
        #expect(loaded(own).settings == ["appearance.article-width": "80"])
        #expect(own.left == ["reload-time 5: the configuration already sets feeds.refresh"])
    }

    @Test(arguments: [
        "cache-file", "urls-source", "proxy", "use-proxy", "max-items", "feedlist-format", "articlelist-format",
        "notify-program", "notify-always", "external-url-viewer", "pager", "html-renderer", "refresh-on-startup",
        "confirm-exit", "confirm-mark-feed-read", "cleanup-on-quit", "reload-threads", "download-full-page",
        "scrolloff",
        "highlight", "highlight-article",
    ]) func namesTheReplacementOfAnOption(name: String) {
        let newsboat = read("\(name) x")
        #expect(newsboat.left.count == 1 && newsboat.left[0].hasPrefix("\(name) x: "))
        #expect(!newsboat.left[0].hasSuffix("no equivalent"))
    }

    // MARK: Lines

    @Test(
        arguments: [
            ("# browser a", [:]), ("browser a # b", ["feeds.browser": "a"]), ("browser a#b", ["feeds.browser": "a#b"]),
            ("download-path \"a # b\"", ["audio.folder": "a # b"]), ("browser \\\n  a", ["feeds.browser": "a"]),
            ("  browser\ta  ", ["feeds.browser": "a"]), ("browser \"a \\\"b\\\" c\"", ["feeds.browser": "a \"b\" c"]),
            ("\n\nbrowser a\r\n", ["feeds.browser": "a"]), ("browser", [:]), ("browser \"\"", [:]),
        ] as [(String, [String: String])]) func splitsWordsAsNewsboatDoes(text: String, settings: [String: String])
    {
        #expect(loaded(read(text)).settings == settings)
    }

    @Test func includesEachFileOnceUpToEightLevels() {
        let newsboat = read("include a\ninclude a\ninclude none\nreload-time 1") { $0 == "a" ? "text-width 80" : nil }
        #expect(loaded(newsboat).settings == ["appearance.article-width": "80", "feeds.refresh": "1"])
        #expect(newsboat.came.contains("include a"))
        #expect(newsboat.left == ["include a: can't be read", "include none: can't be read"])
        // Each file includes the next: the eighth is read, the ninth isn't.
        let deep = read("include 1") { name in
            Int(name).map { "include \($0 + 1)\n" + ($0 == 8 ? "text-width 90" : "") }
        }
        #expect(loaded(deep).settings == ["appearance.article-width": "90"])
        #expect(deep.left == ["include 9: can't be read"])
    }

    // MARK: Commands

    @Test(
        arguments: [
            ("macro v set browser \"mpv %u\"; open-in-browser", "mpv v", UserCommand.Program.words(["mpv", "{link}"])),
            (
                "macro v set browser \"mpv\" ; open-in-browser ; set browser \"w3m %u\"", "mpv v",
                .words(["mpv", "{link}"])
            ),
            (
                "macro v set browser \"/usr/bin/mpv -t %T %u\"; open-in-browser-and-mark-read", "mpv v",
                .words(["/usr/bin/mpv", "-t", "{title}", "{link}"])
            ),
            (
                "macro v set browser \"a %u | b '%T'\"; open-in-browser", "a v",
                .shell("a \"$TAPPA_LINK\" | b \"$TAPPA_TITLE\"")
            ),
            ("macro v set browser \"a \\\"%u\\\" > f\"; open-in-browser", "a v", .shell("a \"$TAPPA_LINK\" > f")),
            (
                "macro v set browser \"bash -c \\\"w3m %u\\\"\"; open-in-browser", "bash v",
                .words(["bash", "-c", "w3m \"$TAPPA_LINK\""])
            ),
            (
                "macro v set browser \"tmux new-window \\\"w3m '%u'\\\"\"; open-in-browser", "tmux v",
                .words(["tmux", "new-window", "-e", "TAPPA_LINK={link}", "w3m \"$TAPPA_LINK\""])
            ),
            (
                "macro v set browser \"x '%T: %u' &\"; open-in-browser", "x v",
                .shell("x ''\"$TAPPA_TITLE\"': '\"$TAPPA_LINK\"'' &")
            ),
            (
                "macro v set browser \"x \\\"%T: %u\\\"\"; open-in-browser", "x v",
                .shell("x \"$TAPPA_TITLE: $TAPPA_LINK\"")
            ),
            (
                "macro v set browser \"mpv --ytdl-format='a[h<=?720]+b/c'\" ; open-in-browser", "mpv v",
                .words(["mpv", "--ytdl-format=a[h<=?720]+b/c", "{link}"])
            ),
            (
                "macro v set browser \"xsel -b <<<\" ; open-in-browser", "xsel v",
                .words(["bash", "-c", "xsel -b <<< \"$TAPPA_LINK\""])
            ),
            ("macro v set browser \"$HOME/bin/x\" ; open-in-browser", "x v", .shell("$HOME/bin/x \"$TAPPA_LINK\"")),
            ("macro v set browser \"FOO=1 x\" ; open-in-browser", "FOO1 v", .shell("FOO=1 x \"$TAPPA_LINK\"")),
            ("macro - set browser \"!!! x\"; open-in-browser", "macro", .words(["!!!", "x", "{link}"])),
            ("macro k open; reload -- \"what it does\"", "macro k", .steps(["list.open", "feed.reload"])),
            ("bookmark-cmd \"mark -x\"", "bookmark", .words(["mark", "-x", "{link}", "{title}", "", "{feed}"])),
            (
                "bookmark-cmd \"mark | tee x\"", "bookmark",
                .shell("mark | tee x \"$TAPPA_LINK\" \"$TAPPA_TITLE\" \"\" \"$TAPPA_FEED\"")
            ),
        ])
    func importsEachProgramAsACommand(line: String, name: String, program: UserCommand.Program) {
        let newsboat = read(line)
        let file = loaded(newsboat)
        #expect(file.commands.map(\.name) == [name] && file.commands.first?.program == program)
        let key = line.hasPrefix("bookmark") ? "B" : ", " + (line.dropFirst(6).first.map(String.init) ?? "")
        #expect(file.keyMap == KeyMap(["user.\(name)": [KeySequence(key)].compactMap { $0 }]))
        #expect(newsboat.changed.count == 1 && newsboat.left.isEmpty)
        #expect(newsboat.changed.first?.hasSuffix("the command '\(name)' (\(key))") == true)
    }

    /// What can't be rewritten with certainty isn't imported, and the report says why.
    @Test(arguments: [
        "ssh host w3m %u", "eval w3m %u", "%u", "x `w3m %u`", "x %u # y %T", "bash -c \"$HOME/w3m %u\"", "x ${A:-%u}",
        "x \\%u", "x 'open %u", "x \"open %u",
        "w3m %F",
        "x > %u", "perl -e \"system('x %u')\"", "xdg-open &",
    ]) func importsNoProgramThatAShellWouldReadAValueOf(program: String) {
        let quoted = program.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        for line in ["browser \"\(quoted)\"", "macro v set browser \"\(quoted)\" ; open-in-browser"] {
            let newsboat = read(line)
            #expect(loaded(newsboat).settings.isEmpty && loaded(newsboat).commands.isEmpty, "\(line)")
            #expect(newsboat.left.count == 1 && newsboat.came.isEmpty && newsboat.changed.isEmpty, "\(line)")
        }
    }

    @Test(
        arguments: [
            ("browser \"bash -c \\\"w3m %u\\\"\"", "bash -c 'w3m \"$TAPPA_LINK\"'"),
            ("browser \"w3m %u > /dev/null 2>&1 &\"", "sh -c 'w3m \"$TAPPA_LINK\" > /dev/null 2>&1 &'"),
            ("browser \"tmux new-window 'w3m %u'\"", "tmux new-window -e TAPPA_LINK=%s 'w3m \"$TAPPA_LINK\"'"),
            ("browser \"w3m `tput cols` %u\"", "sh -c 'w3m `tput cols` \"$TAPPA_LINK\"'"),
            ("browser \"sudo -u me sh -c 'w3m %u'\"", "sudo -u me sh -c 'w3m \"$1\"' sh %s"),
        ])
    func rewritesTheBrowserAndSaysSo(line: String, setting: String) {
        let newsboat = read(line)
        #expect(loaded(newsboat).settings == ["feeds.browser": setting])
        #expect(newsboat.came.isEmpty && newsboat.left.isEmpty && newsboat.changed.count == 1)
        #expect(
            newsboat.changed.first?.hasSuffix("no shell reads the link as commands: feeds.browser = \(setting)") == true
        )
    }

    @Test func leavesOutACommandThatCannotBeLoaded() {
        let newsboat = read("macro v set browser \"a {title} %u\"; open-in-browser\nreload-time 5")
        #expect(loaded(newsboat).commands.isEmpty && loaded(newsboat).settings == ["feeds.refresh": "5"])
        #expect(newsboat.left.count == 1 && newsboat.left[0].contains("fields aren't allowed in shell text"))
        #expect(newsboat.changed.isEmpty && newsboat.came == ["reload-time 5"])
    }

    /// Settings for one operation, articles piped to programs, and several operations keep their order.
    @Test func importsMacrosOfSeveralParts() {
        let pipe = loaded(read("macro p pipe-to \"grep -c x\""))
        #expect(pipe.commands.first?.program == .shell("grep -c x") && pipe.commands.first?.input == .markdown)
        #expect(pipe.commands.first?.mode == .output && pipe.commands.first?.name == "grep p")
        let both = loaded(
            read("macro m set browser \"mpv %u\" ; open-in-browser ; toggle-article-read ; set browser lynx"))
        #expect(both.commands.map(\.name) == ["mpv m", "macro m"])
        #expect(both.commands.last?.steps == ["user.mpv m", "entry.toggleRead"])
        #expect(both.keyMap == KeyMap(["user.macro m": [", m"]]))
        let order = loaded(
            read(
                "macro o set article-sort-order date-asc ; open ; set article-sort-order date-desc ; set text-width 60")
        )
        #expect(
            order.commands.first?.steps == [
                "set feeds.order=oldest first", "list.open", "set feeds.order=newest first",
                "set appearance.article-width=60",
            ])
        // The steps follow a command that gets another name.
        let own = loaded(
            read(
                "macro m set browser \"mpv %u\" ; open-in-browser ; toggle-article-read",
                besides: "[[commands]]\nname = \"mpv m\"\nrun = [\"x\"]"))
        #expect(own.commands.last?.steps == ["user.mpv m 2", "entry.toggleRead"])
        let wrong = UserCommand.assignment("set feeds.order=x")
        #expect(wrong?.name == "feeds.order" && wrong?.value == "x" && UserCommand.assignment("entry.next") == nil)
        for step in ["set feeds.order=sideways", "set feeds.odrer=x", "set feeds.order"] {
            let file = ConfigurationFile.parse(
                "[[commands]]\nname = 'x'\ndo = ['\(step)']\n", path: "", for: ImportsNewsboatsConfiguration.known)
            #expect(file.problems.count == 1 && file.commands.isEmpty, "\(step)")
        }
    }

    @Test func importsNewsraftsConfiguration() {
        let newsraft = NewsboatConfiguration(
            newsraft: """
                set reload-period 30
                set item-limit 500
                set open-in-browser-command "firefox '%l'"
                set color-title red
                bind J jump-to-next-unread
                bind ^p exec "mpv '%l'"
                bind x shake
                bind o open-in-browser; mark-read
                unbind q
                """, for: ImportsNewsboatsConfiguration.known)
        let file = loaded(newsraft)
        #expect(
            file.settings == ["feeds.refresh": "30", "feeds.keep-entries": "500", "feeds.browser": "firefox %s"])
        #expect(file.keyMap.bindings["entry.nextUnread"] == [KeySequence("J")].compactMap { $0 })
        #expect(file.commands.map(\.name) == ["mpv p"])
        #expect(
            newsraft.left.map { $0.prefix { $0 != ":" } } == [
                "set color-title red", "bind x shake", "bind o open-in-browser ; mark-read", "unbind q",
            ])
        #expect(file.keyMap.bindings["entry.browser"]?.contains { $0 == KeySequence("o") } == true)
    }

    /// What follows `exec` is for a shell, with or without quotation marks around it; settings may lack `set`.
    @Test func importsNewsraftsCommandsInEachForm() {
        let newsraft = NewsboatConfiguration(
            newsraft: """
                reload-period 20
                open-in-browser-command w3m "%l"
                bind m exec mpv "%l"
                bind M exec mpv --no-terminal %l &
                bind n exec notify-send "%t" %l
                bind b exec bm
                unknown-thing 7
                """, for: ImportsNewsboatsConfiguration.known)
        let file = loaded(newsraft)
        #expect(file.settings == ["feeds.refresh": "20", "feeds.browser": "w3m %s"])
        let text = newsraft.text(withTheme: false)
        #expect(file.commands.map(\.name) == ["mpv m", "mpv M", "notify-send n", "bm b"], "\(text)")
        for line in [
            #"run = ["mpv", "{link}"]"#, #"sh = "mpv --no-terminal \"$TAPPA_LINK\" &""#,
            #"run = ["notify-send", "{title}", "{link}"]"#, #"run = ["bm", "{link}"]"#,
        ] { #expect(text.contains(line), "\(line) in \(text)") }
        #expect(newsraft.left == ["unknown-thing: no equivalent"])
    }

    /// The prefix counts for all macros, wherever its line is.
    @Test func takesThePrefixOfMacros() {
        let newsboat = read("macro k save\nbind-key ^T macro-prefix\nmacro m set browser \"mpv %u\" ; open-in-browser")
        let file = loaded(newsboat)
        #expect(file.keyMap.bindings["entry.save"] == [KeySequence("ctrl-t k")].compactMap { $0 })
        #expect(newsboat.text(withTheme: false).contains("key = \"ctrl-t m\"") && newsboat.left.isEmpty)
    }

    /// The bindings of newsboat 2.39: sequences of keys, dialogs, several operations, and a description.
    @Test func importsBindingsWithDialogs() {
        let newsboat = read(
            #"""
            bind gg feedlist,articlelist home -- "Go up"
            bind ^O<ENTER> everywhere next-unread
            bind <C-x><S-a> article delete-article
            bind <LT> urlview,article prev-unread
            bind m everywhere set browser "mpv %u" ; open-in-browser -- "Play"
            bind x podboat save
            bind y everywhere random
            bind z everywhere
            """#)
        let file = loaded(newsboat)
        #expect(
            file.keyMap
                == KeyMap([
                    "list.first": ["g g"], "entry.nextUnread": ["ctrl-o enter"], "entry.delete": ["ctrl-x A"],
                    "entry.previousUnread": ["<"], "user.mpv m": ["m"],
                ]))
        #expect(file.commands.map(\.name) == ["mpv m"] && newsboat.text(withTheme: false).contains("key = \"m\""))
        #expect(
            newsboat.left == [
                "bind x podboat save: tappa has no equivalent of the context 'podboat'",
                "bind y everywhere random: no such command: 'random'", "bind z everywhere: missing operation",
            ], "\(newsboat.left)")
    }

    @Test func explainsOperationsWithoutAnEquivalent() {
        for operation in ["next-unread-feed", "prev-unread-feed"] {
            let left = read("bind-key x \(operation)").left
            #expect(left.count == 1 && !left[0].contains("no such command"), "\(left)")
        }
    }

    @Test func readsEscapesInStrings() {
        #expect(NewsboatConfiguration.lines(#"a "b\nc\td\"e\\f""#).map(\.words) == [["a", "b\nc\td\"e\\f"]])
    }

    @Test func importsAMacroOfOneOperationAsAKey() {
        #expect(loaded(read("macro k save")).keyMap == KeyMap(["entry.save": [", k"]]))
    }

    @Test func numbersCommandsOfTheSameName() {
        let line = "macro v set browser \"mpv %u\"; open-in-browser\n"
        let names = loaded(read(line + line.replacing("macro v", with: "macro \"v!\"") + "bookmark-cmd mark")).commands
            .map(\.name)
        #expect(names == ["mpv v", "mpv v 2", "bookmark"])
        let own = read(line, besides: "[[commands]]\nname = \"mpv v\"\nrun = [\"x\"]")
        #expect(loaded(own).commands.map(\.name) == ["mpv v 2"])
    }

    // MARK: Rules

    @Test func importsIgnoredArticlesAsRules() {
        let newsboat = read(
            """
            ignore-article "*" "title =~ \\"Ad\\""
            ignore-article "https://a.example/\\"x\\"" "author = \\"Bob\\""
            ignore-article "*" "articleindex = 1"
            """, besides: "[[rules]]\nname = \"ignored 1\"\nwhen = \"x\"\nthen = \"star\"")
        #expect(newsboat.rules.map(\.name) == ["ignored 1 (2)", "ignored 2"])
        #expect(newsboat.rules.map(\.when.text) == ["title:/Ad/", "feed:\"https://a.example/x\" (author:/^Bob$/)"])
        #expect(newsboat.rules.allSatisfy { $0.then == [.delete] })
        #expect(newsboat.left.count == 1 && newsboat.left[0].hasPrefix("ignore-article * articleindex = 1: "))
        #expect(newsboat.changed.count == 2 && newsboat.changed[0].hasSuffix("the rule 'ignored 1', when = title:/Ad/"))
    }

    // MARK: Colours

    @Test(
        arguments: [
            ("black", "#000000"), ("red", "#cd0000"), ("white", "#e5e5e5"), ("color0", "#000000"),
            ("color8", "#7f7f7f"),
            ("color15", "#ffffff"), ("color16", "#000000"), ("color21", "#0000ff"), ("color52", "#5f0000"),
            ("color22", "#005f00"),
            ("color231", "#ffffff"), ("color232", "#080808"), ("color255", "#eeeeee"), ("color256", nil),
            ("default", nil),
            ("color-1", nil), ("colour", nil),
        ] as [(String, String?)]) func readsXtermColours(name: String, value: String?)
    {
        let newsboat = read("color article color123 \(name)")
        let expected = value.map { "foreground = \"#87ffff\"\nbackground = \"\($0)\"\n" }
        #expect(newsboat.theme == expected)
        #expect(
            newsboat.changed.contains("colours: the theme 'terminal' uses the terminal's own")
                == (value == nil))
    }

    @Test func importsBackgroundsAndAccentAsATheme() {
        let all = read(
            "color listnormal white black\ncolor background red blue\ncolor article green yellow\ncolor info cyan default\ncolor listfocus default default"
        )
        #expect(all.theme == "foreground = \"#cd0000\"\nbackground = \"#0000ee\"\naccent = \"#00cdcd\"\n")
        #expect(all.text(withTheme: all.theme != nil) == "[appearance]\ntheme = \"newsboat\"\n")
        #expect(all.text(withTheme: false).isEmpty)
        // A colour equal to the background is no accent, and one background colour alone makes no theme.
        #expect(
            read("color article white black\ncolor title white black").theme
                == "foreground = \"#e5e5e5\"\nbackground = \"#000000\"\n")
        #expect(read("color article white white").theme == nil && read("color title white black").theme == nil)
        #expect(read("reload-time 1").theme == nil)
        // The configured theme stays.
        let own = read("color article white black", besides: "[appearance]\ntheme = \"rosa\"")
        #expect(own.theme != nil && own.text(withTheme: own.theme != nil).isEmpty)
    }
}
