import FeedParsing
import Feeds
import Foundation
import LibraryKernel
import LibraryTesting
import ModelCore
import RaceModel
import Synchronization
import TerminalUI
import TerminalUITesting

@testable import Dashboard
@testable import DashboardFrame

/// A dashboard over a test's own library, on an in-memory terminal.
@MainActor
class StartedDashboard {
    let library: Library
    let settings: Settings
    let controller: DashboardController
    let screen: TestScreen
    /// The states saved for the next start, in order.
    var saved: [DashboardState] { store.states }

    private final class States { var states: [DashboardState] = [] }
    private let store: States

    var services: DashboardServices { controller.services }
    var window: Window { screen.application.window }

    /// - Parameter file: The contents of the configuration file.
    init(
        _ library: Library, width: Int = 100, height: Int = 30, segment: String? = "feeds",
        file: [String: String] = [:], capabilities: TerminalCapabilities = TerminalCapabilities(),
        segments: [DashboardSegment] = DashboardSegment.all, testFile: String = #filePath,
        adjust: (inout DashboardEnvironment) -> Void = { _ in }
    ) throws {
        useTimeZone()
        self.library = library
        let settings = try Settings(library: library, file: file)
        self.settings = settings
        if segment == "feeds", file[SettingKey.startList.name] == nil {
            settings.use("the first feed", for: SettingKey.startList.name)
        }
        let store = States()
        self.store = store
        var environment = DashboardEnvironment(library: library, settings: settings, clock: { DashboardScreen.now })
        // Reads of the library are awaited, however busy the machine is.
        environment.time.readingPatience = .seconds(30)
        environment.start.segment = segment
        environment.saveState = { store.states.append($0) }
        // A test that waits for its turn mustn't miss a message.
        environment.time.messageTime = .seconds(3600)
        // Feeds are requested only in tests about that.
        environment.time.firstReload = .seconds(3600)
        adjust(&environment)
        controller = DashboardController(environment, segments: segments)
        screen = TestScreen(
            root: controller.navigation, size: Size(width: width, height: height), capabilities: capabilities,
            file: testFile)
        controller.attach(to: screen.application)
        screen.application.send([])
    }

    /// The visible split view.
    var split: SplitViewController? {
        var controller: ViewController? = window.focusedController
        while let present = controller {
            if let split = present as? SplitViewController { return split }
            controller = present.parent ?? present.presentingViewController
        }
        return nil
    }

    /// The message in the status line, and whether it is a failure.
    var said: String? { services.access.status.view.message?.text.string }
    var isFailure: Bool { services.access.status.view.message?.role == .failure }

    /// Changes a setting, which applies at once.
    func set(_ value: String, for name: String) {
        settings.use(value, for: name)
        controller.settingDidChange(name)
        screen.application.send([])
    }

    /// Presses keys, and waits until all requested changes are stored and shown.
    func press(_ names: String...) async throws {
        screen.press(names)
        try await settle()
    }

    /// Waits until all requested changes are stored and shown.
    func settle() async throws { try await screen.settle(services.access) }
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let time: Mutex<Instant>
    var now: Instant {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }

    init(_ now: Instant = DashboardScreen.now) { time = Mutex(now) }
}

/// Lets the C library show times in a zone.
func useTimeZone(_ name: String = "UTC") {
    setenv("TZ", name, 1)
    tzset()
}

extension StartedDashboard {
    /// Returns a library with feeds that have four entries each.
    static func library(_ titles: [String] = ["One"]) async throws -> Library {
        let library = try Library(path: nil)
        for title in titles {
            let text = DashboardScreen.feed.replacing("Use Your Loaf", with: title)
            try await library.follow("https://\(title.lowercased()).example/feed", with: text)
        }
        return library
    }

    /// Compares a start with a value from the file with setting it while the program runs.
    static func both(
        _ name: String, _ value: String, width: Int = 120, height: Int = 30, segment: String = "feeds",
        capabilities: TerminalCapabilities = TerminalCapabilities(), _ check: (StartedDashboard) async throws -> Void
    ) async throws {
        try await check(
            StartedDashboard(
                try await StartedDashboard.library(), width: width, height: height, segment: segment,
                file: [name: value], capabilities: capabilities))
        let changed = try StartedDashboard(
            try await StartedDashboard.library(), width: width, height: height, segment: segment,
            capabilities: capabilities)
        changed.set(value, for: name)
        try await check(changed)
    }

    /// Waits until a condition that may throw holds.
    func waitUntil(_ condition: () throws -> Bool) async throws -> Bool {
        for _ in 0..<6000 {
            screen.application.send([])
            if try condition() { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}
