import CommonTesting
import Foundation
import ModelCore
import TerminalUI
import TerminalUITesting

@testable import Dashboard

/// Sends random keys, clicks, pastes and resizes to the whole dashboard in memory.
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

    /// The number of events of each walk: 2,000, or 20 for each of the `SOAK_ROUNDS`.
    static let events = ProcessInfo.processInfo.environment["SOAK_ROUNDS"].flatMap { Int($0) }.map { $0 * 20 } ?? 2000

    /// The file with the events sent so far, one a line.
    var log: URL {
        FileManager.default.temporaryDirectory.appendingPathComponent(
            "tappa-walk-\(seed)-\(size.width)x\(size.height).log")
    }

    /// The parent's report about a child that died.
    var report: String {
        let lines = (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n") ?? []
        return """
            The walk with seed \(seed) in at most \(size.width)x\(size.height) died. All of its events: \(log.path)
            \(lines.suffix(40).joined(separator: "\n"))
            """
    }

    /// Walks until all events are sent.
    func run() async throws {
        // A walk that hangs is killed as well.
        alarm(UInt32(120 + RandomWalk.events / 10))
        // No request leaves the machine, and no file is written outside this folder.
        for name in ["http_proxy", "https_proxy", "all_proxy"] { setenv(name, "http://127.0.0.1:9", 1) }
        let folder = TemporaryFolder()
        chdir(folder.url.path)
        setenv("HOME", folder.url.path, 1)
        try Data().write(to: log)
        let file = try FileHandle(forWritingTo: log)

        let dashboard = try await DashboardScreen(
            size.width, size.height, feeds: RandomWalk.feeds, race: RandomWalk.race)
        let application = dashboard.screen.application
        var events = Events(generator: SeededGenerator(seed: seed), most: size)
        for number in 1...RandomWalk.events {
            let event = events.next(in: dashboard.screen.terminal.size)
            try file.write(contentsOf: Data("\(number) \(Events.name(of: event))\n".utf8))
            if case .resize(let size) = event { dashboard.screen.terminal.size = size }
            application.send(event)
            guard dashboard.screen.terminal.cells.size == dashboard.screen.terminal.size else {
                try file.write(contentsOf: Data("The frame has another size than the terminal.\n".utf8))
                exit(1)
            }
            // Background tasks get their turn, too.
            if number % 10 == 0 { await Task.yield() }
            if number % 200 == 0 { try await Task.sleep(for: .milliseconds(2)) }
        }
        // Esc closes whatever the walk left open.
        dashboard.screen.resize(120, 39)
        let window = application.window
        for _ in 0..<40 where window.presentedViewController != nil { dashboard.screen.press("esc") }
        if window.presentedViewController != nil {
            try file.write(contentsOf: Data("Esc doesn't close this:\n\(dashboard.screen.text)\n".utf8))
            exit(1)
        }
    }

    /// Feeds whose addresses and links lead only to this machine.
    static let feeds = [
        ("http://127.0.0.1:9/feed", local),
        ("http://127.0.0.1:9/other", local.replacing("Use Your Loaf", with: "東京 weekly")),
        ("http://127.0.0.1:9/empty", "<rss><channel><title>Empty</title></channel></rss>"),
    ]

    private static let local = DashboardScreen.feed.replacing("https://loaf.example", with: "http://127.0.0.1:9")

    /// A race with a finished stage, one under way and two in the future.
    static let race = """
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
           "start_time": "2026-11-20T10:30:00+00:00", "finish_time": "2026-11-20T16:30:00Z",
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
    let most: Size

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

    private mutating func random(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &generator) }

    /// Returns the next event for a pane of this size.
    mutating func next(in pane: Size) -> InputEvent {
        let place = Point(x: random(pane.width + 1), y: random(pane.height + 1))
        switch random(40) {
        case 0: return .resize(Size(width: 1 + random(4), height: 1 + random(4)))
        case 1: return .resize(Size(width: 1 + random(most.width), height: 1 + random(4)))
        case 2, 3, 4: return .resize(Size(width: 1 + random(most.width), height: 1 + random(most.height)))
        case 5, 6: return .resize(most)
        case 7, 8: return .mouse(MouseEvent(.press(.left), at: place))
        case 9: return .mouse(MouseEvent(.drag(.left), at: place))
        case 10: return .mouse(MouseEvent(.release, at: place))
        case 11: return .mouse(MouseEvent(.press(.right), at: place))
        case 12: return .mouse(MouseEvent(.wheel(random(2) * 2 - 1), at: place))
        case 13: return .mouse(MouseEvent(.horizontalWheel(random(2) * 2 - 1), at: place))
        case 14: return .paste("a\u{1B}[2J\n東京 http://127.0.0.1:9/")
        case 15: return .focus(random(2) == 0)
        case 16...26: return .key(KeyPress(Events.common[random(Events.common.count)]))
        default: return .key(Events.keys[random(Events.keys.count)])
        }
    }
}
