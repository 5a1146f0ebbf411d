import CommonTesting
import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// Each segment, and each sheet, popover, prompt and page that a command opens, at every size from 0x0 (row POP-03).
@MainActor
@Suite(.serialized) struct EverySizeOfTheDashboard {
    /// Commands that end or suspend the program.
    private static let ending: Set<String> = ["program.quit", "program.quitNow", "program.suspend"]

    private func dashboard(_ segment: String, opening keys: [String]) async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(
            120, 30, segment: segment, feeds: RandomWalk.feeds(9), race: RandomWalk.race(9))
        for key in keys {
            try await dashboard.press(key)
        }
        return dashboard
    }

    /// The classes of the controllers on the screen and of those with focus.
    private func signature(_ window: Window) -> String {
        var names: [String] = []
        var controller: ViewController? = window.focusedController
        while let present = controller {
            names.append(String(describing: Swift.type(of: present)))
            controller = present.parent ?? present.presentingViewController
        }
        return names.joined(separator: " in ") + " " + (window.presentedViewController?.title.string ?? "")
    }

    @Test(arguments: SegmentName.allCases.map(\.rawValue)) func POP_03_opensEveryCommandAtEverySize(segment: String)
        async throws
    {
        var tried: Set<String> = []
        var performed: Set<String> = []
        for keys in [[], ["enter"], ["enter", "enter"]] {
            let first = try await dashboard(segment, opening: keys)
            let offered = withExtendedLifetime(first) { first.screen.application.window.offeredCommands }
            let names =
                offered
                .filter { $0.isEnabled && !EverySizeOfTheDashboard.ending.contains($0.name) }.map(\.name)
                .filter { performed.insert($0).inserted }
            for name in [""] + names {
                let dashboard = try await dashboard(segment, opening: keys)
                let window = dashboard.screen.application.window
                window.offeredCommands.first { $0.name == name }?.perform()
                try await dashboard.settle()
                guard tried.insert(signature(window)).inserted else { continue }
                let presented = window.presentedViewController
                var generator = SeededGenerator(seed: UInt64(tried.count))
                let fault = dashboard.screen.fault(atEverySizeAnd: 100, share: 3, using: &generator)
                #expect(fault == nil, "\(name) after \(keys): \(fault ?? "")")
                #expect(window.presentedViewController === presented, "\(name) after \(keys)")
            }
        }
        // Lists, details and the presentations above them.
        #expect(tried.count > 12, "\(tried)")
    }

    /// A popover opened from a list or a detail is there again after any size (rows POP-03 and SPL-12).
    @Test(arguments: [["enter"], ["enter", "G", "enter"]]) func POP_03_keepsThePopoverAtEverySize(keys: [String])
        async throws
    {
        for (width, height) in [(20, 6), (20, 7), (10, 2), (1, 1), (0, 0)] {
            let dashboard = try await dashboard("feeds", opening: keys)
            let screen = dashboard.screen
            screen.press("p")
            let before = screen.text
            #expect(before.contains("First seen"))
            screen.resize(width, height)
            #expect(screen.application.window.presentedViewController is PublishDateViewController)
            screen.resize(120, 30)
            #expect(screen.text == before)
            screen.press("esc")
            #expect(screen.application.window.presentedViewController == nil)
        }
    }

    /// The list in a popover gives way to the dates of one of its rows, and returns afterwards (row POP-05).
    @Test func SPL_13_POP_05_datesReplaceTheListPopover() async throws {
        let dashboard = try await dashboard("feeds", opening: ["enter", "enter"])
        let screen = dashboard.screen
        dashboard.set("popover", for: SettingKey<String>.narrowList.name)
        screen.resize(70, 24)
        screen.press("\\")
        func boxes() -> Int { screen.text.filter { $0 == "╭" }.count }
        #expect(boxes() == 1 && screen.text.contains("Reading dates"))
        screen.press("p")
        #expect(boxes() == 1 && screen.text.contains("First seen"), "\(screen.text)")
        screen.press("esc")
        #expect(boxes() == 1 && screen.text.contains("Reading dates") && !screen.text.contains("First seen"))
    }
}
