import CommonTesting
import Foundation
import LibraryTesting
import LoopbackServer
import ModelCore
import TerminalUI
import TerminalUITesting

@testable import Dashboard
@testable import FeedsSegment

/// Sends random keys alone and in bursts, clicks, pastes and resizes to the whole dashboard in memory.
///
/// A trap ends the process, so a walk runs in a child. It writes each event to ``log`` before sending it: the parent
/// reports the end of that file together with the seed.
@MainActor
struct RandomWalk {
    /// The seed of the events.
    let seed: UInt64
    /// The size of the pane at the start, and the largest during the walk.
    let size: Size

    /// A pane that is nearly always too small.
    static let tiny = RandomWalk(seed: 1, size: Size(width: 24, height: 8))
    /// A pane about as wide as the thresholds of the columns.
    static let medium = RandomWalk(seed: 2, size: Size(width: 90, height: 30))
    /// A pane with room for three columns.
    static let large = RandomWalk(seed: 3, size: Size(width: 200, height: 60))
    /// Panes on both sides of three columns.
    static let wide = [4, 5].map { RandomWalk(seed: $0, size: Size(width: 160, height: 45)) }

    /// Values of the setting for the segments, `nil` for its default.
    static let segments: [String?] = [
        nil, "unread all starred feeds race:volta tag:a folder:b recent settings stages",
        "search:is:unread feed:http://127.0.0.1:1/feed",
    ]

    /// The number of reads of each walk: 2,000, or 60 for each of the `SOAK_ROUNDS`.
    static let events = ProcessInfo.processInfo.environment["SOAK_ROUNDS"].flatMap { Int($0) }.map { $0 * 60 } ?? 2000

    /// The file with the events sent so far, one a line.
    var log: URL {
        FileManager.default.temporaryDirectory.appendingPathComponent(
            "tappa-walk-\(getuid())-\(seed)-\(size.width)x\(size.height).log")
    }

    /// The parent's report about a child that died.
    var report: String {
        let lines = (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n") ?? []
        return """
            The walk with seed \(seed) in at most \(size.width)x\(size.height) died. All of its events: \(log.path)
            \(lines.suffix(40).joined(separator: "\n"))
            """
    }

    /// Walks until all events are sent. Every stretch begins with a new dashboard on another library, and ends by
    /// leaving it. Long ones don't press `q` before.
    func run() async throws {
        // A walk that hangs is killed as well.
        alarm(UInt32(clamping: 120 + RandomWalk.events / 10))
        let folder = TemporaryFolder()
        chdir(folder.url.path)
        setenv("HOME", folder.url.path, 1)
        // No request leaves the machine. Some pages don't exist, and others never come.
        let server = try LoopbackServer(seconds: 7200) { request in
            request.path.contains("endless") ? .init("", type: "text/html").after(3_600_000) : .init(404)
        }
        for name in ["http_proxy", "https_proxy", "all_proxy"] { setenv(name, "http://127.0.0.1:9", 1) }
        setenv("no_proxy", "127.0.0.1", 1)
        try Data().write(to: log)
        let file = try FileHandle(forWritingTo: log)
        var events = Events(generator: SeededGenerator(seed: seed), maximum: size)
        var number = 0
        while number < RandomWalk.events {
            let isLong = events.random(4) == 0
            // Also with segments of the user, and with digits as counts.
            let segments = RandomWalk.segments[events.random(RandomWalk.segments.count)]
            let digits = events.random(3) == 0 ? "counts" : "segments"
            let segment = SegmentName.allCases[events.random(SegmentName.allCases.count)].rawValue
            let stretch = Stretch(
                try await DashboardScreen(
                    size.width, size.height, segment: segment,
                    feeds: RandomWalk.feeds(server.port), race: RandomWalk.race(server.port),
                    adjust: {
                        if !isLong { $0.time.readingPatience = .zero }
                        $0.settings.use(segments, for: SettingKey<String>.segments.name)
                        $0.settings.use(digits, for: SettingKey<String>.digits.name)
                    }), file)
            try await stretch.dashboard.library.indexAll()
            let end = min(RandomWalk.events, number + (isLong ? 2000 : 300))
            // A program that has quit answers nothing.
            while number < end, !stretch.screen.application.isFinished {
                number += 1
                let group = events.next(in: stretch.screen.terminal.size).filter { !isLong || !Events.mayEnd($0) }
                try await stretch.send(group, number)
                if number % 100 == 0 { try await stretch.check(&events) }
            }
            try await stretch.leave(by: ["q", "Q", "ctrl-c"][events.random(3)])
        }
    }

    /// A part of the walk with one dashboard.
    @MainActor
    private final class Stretch {
        let dashboard: DashboardScreen
        var screen: TestScreen { dashboard.screen }
        private var window: Window { screen.application.window }
        private let file: FileHandle
        private var now = ContinuousClock.now

        init(_ dashboard: DashboardScreen, _ file: FileHandle) {
            self.dashboard = dashboard
            self.file = file
            window.motion = .full
            window.now = { [unowned self] in self.now }
        }

        /// Sends events that arrive in one read.
        func send(_ group: [InputEvent], _ number: Int) async throws {
            let names = group.map(Events.name).joined(separator: " + ")
            try file.write(contentsOf: Data("\(number) \(names)\n".utf8))
            if screen.application.isFinished { try fail("The program has ended and answers nothing.") }
            now += .milliseconds(20)
            for case .resize(let size) in group { screen.terminal.size = size }
            screen.application.send(group.filter { !Events.ends($0) })
            guard screen.terminal.cells.size == screen.terminal.size else {
                try fail("The frame has another size than the terminal.")
            }
            // Background tasks get their turn, too.
            if number % 10 == 0 { await Task.yield() }
            if number % 200 == 0 { try await Task.sleep(for: .milliseconds(2)) }
        }

        private func fail(_ reason: String) throws -> Never {
            try file.write(contentsOf: Data("\(reason)\n\(screen.text)\n".utf8))
            exit(1)
        }

        /// Delivers everything that waited, and the answers to the questions that it asks.
        private func settle() async throws {
            now += .seconds(2)
            await Task.yield()
            screen.application.send([])
            while screen.application.awaitsScreen(), !screen.application.isFinished {
                try await Task.sleep(for: .milliseconds(1))
                screen.application.send([])
            }
        }

        /// Presses Esc until nothing is open, eight times at most.
        private func close(while isOpen: () -> Bool) async throws {
            for _ in 0..<8 where !screen.application.isFinished && isOpen() {
                screen.press("esc")
                try await settle()
            }
        }

        /// The open list of entries survives sizes of all kinds, and Esc closes what is open over it.
        func check(_ events: inout Events) async throws {
            try await settle()
            // A wide pane shows the entries of a row that was selected while they had no room.
            let hasNewSelection = dashboard.feeds?.list.hasNewSelection != false
            let list = hasNewSelection ? nil : dashboard.feeds?.supplementaryViewController
            let row = dashboard.feeds?.list.selectedRow?.identifier
            let size = screen.terminal.size
            for other in [events.size(), Size(width: 150 + events.random(60), height: 45), events.size(), size] {
                screen.resize(other.width, other.height)
                if events.random(3) == 0 { await Task.yield() }
            }
            // A change from before, such as a deletion, may have selected another row meanwhile.
            let hasSameRow = dashboard.feeds?.list.selectedRow?.identifier == row
            if let list, hasSameRow, dashboard.feeds?.supplementaryViewController !== list {
                try fail("A resize lost a list.")
            }
            guard events.random(2) == 0 else { return }
            try await close { window.presentedViewController != nil }
            guard window.presentedViewController == nil || screen.application.isFinished else {
                try fail("Esc doesn't close this.")
            }
        }

        /// A few presses leave the program from everywhere: `q` goes back and quits, `Q` quits outside of text fields,
        /// Ctrl-C cancels what is open and quits.
        func leave(by key: String) async throws {
            try await settle()
            if key != "ctrl-c" {
                try await close { window.presentedViewController != nil || window.focusedView is TextField }
            }
            for _ in 0..<(key == "Q" ? 1 : 16) where !screen.application.isFinished {
                screen.press(key)
                try await settle()
                // Quitting asks first while feeds are reloaded.
                if window.presentedViewController is AlertController { screen.press("y") }
            }
            if !screen.application.isFinished { try fail("\(key) doesn't leave this.") }
        }
    }

    /// Feeds whose addresses and links lead only to this machine.
    static func feeds(_ port: Int) -> [(String, String)] {
        let local = DashboardScreen.feed.replacing("https://loaf.example", with: "http://127.0.0.1:\(port)")
            .replacing("\(port)/1", with: "\(port)/endless")
        return [
            ("http://127.0.0.1:\(port)/feed", local),
            ("http://127.0.0.1:9/other", local.replacing("Use Your Loaf", with: "東京 weekly")),
            ("http://127.0.0.1:9/empty", "<rss><channel><title>Empty</title></channel></rss>"),
        ]
    }

    /// A race with a finished stage, one under way and two in the future.
    static func race(_ port: Int) -> String { volta.replacing("127.0.0.1:9/1\"", with: "127.0.0.1:\(port)/endless\"") }

    private static let volta = """
        {"schema": 2, "race": "Volta", "year": 2026, "country": "Portugal",
         "jerseys": [{"classification": "general", "name": "yellow jersey", "color": "#ffd700"}],
         "riders": [{"id": "1", "name": "Ana Sousa", "country": "PT"}, {"id": "2", "name": "Bea Costa"}],
         "stages": [
          {"number": 1, "date": "2026-11-19", "start": "Porto", "finish": "Lisbon", "distance_km": 150,
           "image_url": "http://127.0.0.1:9/1.jpg", "article_url": "http://127.0.0.1:9/1",
           "start_lat_lon": [41.15, -8.61], "finish_lat_lon": [38.72, -9.14],
           "results": [{"rider": "2", "time": "4:00:00"}, {"rider": "1", "gap": 4}],
           "general": [{"rider": "2"}, {"rider": "1", "gap": 4}]},
          {"number": 2, "date": "2026-11-20", "start": "Lisbon", "finish": "Faro", "distance_km": 120, "type": "hilly",
           "article_url": "http://127.0.0.1:9/2", "start_time": "2026-11-20T10:30:00+00:00", "finish_time": "2026-11-20T16:30:00Z",
           "ticker": [{"time": "2026-11-20T11:30:00Z", "km": 40.5, "text": "A break"}]},
          {"number": 3, "date": "2026-11-21", "start": "Faro", "finish": "Sagres", "distance_km": 12.8,
           "type": "time trial"},
          {"number": 4, "start": "Sagres", "finish": "Vila Real de Santo António", "type": "mountain"}]}
        """
}

/// Random input events.
@MainActor
private struct Events {
    var generator: SeededGenerator
    /// The largest pane.
    let maximum: Size

    /// All keys bound to commands, and those of a text field.
    private static let keys: [KeyPress] = {
        let bound = CommandTable.dashboard.commands.flatMap { $0.keys.flatMap(\.presses) }
        let others = "x 東1.".map { KeyPress(.character($0)) } + [KeyPress(.delete), KeyPress(.insert)]
        var seen: Set<KeyPress> = []
        return (bound + others).filter { seen.insert($0).inserted }
    }()
    /// Keys that open, move and close, which a walk needs more often than others.
    private static let common: [Key] = [
        .enter, .enter, .escape, .tab, .up, .down, .left, .right, .pageDown, .character("j"), .character("k"),
        .character("l"), .character("h"), .character("p"), .character("\\"), .character("."), .character("?"),
        .character(":"),
    ]

    private static let names: KeyMap = {
        var map = KeyMap()
        map.namesKeys = true
        return map
    }()

    /// The name of an event in the log.
    static func name(of event: InputEvent) -> String {
        switch event {
        case .key(let press): Events.names.label(of: KeySequence([press])).string
        case .mouse(let mouse): "\(mouse.action) at \(mouse.location.x),\(mouse.location.y)"
        case .resize(let size): "resize \(size.width)x\(size.height)"
        default: "\(event)"
        }
    }

    mutating func random(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &generator) }

    /// Whether an event ends the program, which only the end of a stretch does.
    static func ends(_ event: InputEvent) -> Bool {
        guard case .key(let press) = event else { return false }
        let quitNow: [KeySequence] = ["Q"]
        return quitNow.contains { $0.presses == [press] }
    }

    /// Whether an event ends the program where nothing is open, as `q` does on the root of a segment.
    static func mayEnd(_ event: InputEvent) -> Bool {
        event == .key(KeyPress(.character("q"))) || event == .key(KeyPress(.character("c"), .control))
    }

    /// A size: tiny, any, narrow or wide.
    mutating func size() -> Size {
        switch random(6) {
        case 0: Size(width: 1 + random(4), height: 1 + random(4))
        case 1: Size(width: 1 + random(maximum.width), height: 1 + random(4))
        case 2: Size(width: 1 + random(20), height: 1 + random(maximum.height))
        case 3: Size(width: 145 + random(8), height: 10 + random(40))
        default: Size(width: 1 + random(maximum.width), height: 1 + random(maximum.height))
        }
    }

    /// Returns the next events for a pane of this size, which arrive in one read: mostly one, often a burst of keys, and
    /// now and then a search or a page that fails.
    mutating func next(in pane: Size) -> [InputEvent] {
        switch random(24) {
        case 0: keys(Events.searches[random(Events.searches.count)])
        case 1: keys(Events.pages[random(Events.pages.count)])
        case 2...6: (0..<(2 + random(4))).map { _ in key() }
        case 7 where random(3) == 0: draggedSegment(in: pane)
        default: [event(in: pane)]
        }
    }

    private static let searches: [[KeySequence]] = [
        ["esc", "esc", "S", "t", "h", "e", "enter"], ["esc", "esc", "S", "a", "enter", ":"], ["esc", "ctrl-x h"],
        ["esc", "2", "/", "L", "i", "v", "e"], ["esc", "1", "/", "A", "R"],
    ]
    private static let pages: [[KeySequence]] = [
        ["r", "h"], ["r", "esc"], ["F"], ["F", "j"], ["a"], ["enter", "enter", "F", "space"], ["r", "j", "k"],
        ["n", "n"], ["ctrl-x i"], ["ctrl-x i", "j"], ["esc", "esc", "ctrl-x i"], ["ctrl-x g"], ["ctrl-x x"],
        ["ctrl-x t"],
    ]
    /// Segments that the mouse drags along the bar.
    private mutating func draggedSegment(in pane: Size) -> [InputEvent] {
        let columns = (0..<2).map { _ in random(min(60, pane.width)) }
        return [
            .mouse(MouseEvent(.press(.left), at: Point(x: columns[0], y: 0))),
            .mouse(MouseEvent(.drag(.left), at: Point(x: columns[1], y: 0))),
            .mouse(MouseEvent(.release, at: Point(x: columns[1], y: 0))),
        ]
    }

    private func keys(_ sequences: [KeySequence]) -> [InputEvent] { sequences.flatMap(\.presses).map { .key($0) } }

    private mutating func key() -> InputEvent {
        if random(2) == 0 { return .key(KeyPress(Events.common[random(Events.common.count)])) }
        return .key(Events.keys[random(Events.keys.count)])
    }

    private mutating func event(in pane: Size) -> InputEvent {
        let place = Point(x: random(pane.width + 1), y: random(pane.height + 1))
        switch random(40) {
        case 0...4: return .resize(size())
        case 5, 6: return .resize(maximum)
        case 7, 8: return .mouse(MouseEvent(.press(.left), at: place))
        case 9: return .mouse(MouseEvent(.drag(.left), at: place))
        case 10: return .mouse(MouseEvent(.release, at: place))
        case 11: return .mouse(MouseEvent(.press(.right), at: place))
        case 12: return .mouse(MouseEvent(.wheel(random(2) * 2 - 1), at: place))
        case 13: return .mouse(MouseEvent(.horizontalWheel(random(2) * 2 - 1), at: place))
        case 14: return .paste("a\u{1B}[2J\n東京 http://127.0.0.1:9/")
        case 15: return .focus(random(2) == 0)
        default: return key()
        }
    }
}

extension DashboardScreen {
    /// The Feeds segment if it is visible, under whatever is presented.
    fileprivate var feeds: FeedsViewController? { controller.navigation.viewControllers.first as? FeedsViewController }
}

extension LoopbackServer.Answer {
    /// Returns the answer after a delay in milliseconds.
    fileprivate func after(_ milliseconds: Int) -> Self {
        var answer = self
        answer.delay = milliseconds
        return answer
    }
}
