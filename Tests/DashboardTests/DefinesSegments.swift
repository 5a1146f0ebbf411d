import Foundation
import LibraryKernel
import ModelCore
import RaceModel
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// A segment is one value, so another can be added with a single value.
@MainActor
@Suite struct DefinesSegments {
    /// A segment that counts how often it was shown.
    private final class CountSegment: SplitViewController, SegmentRootController {
        private(set) var count = 0
        private(set) var heard = 0

        init(_ services: DashboardServices) {
            let list = ViewController()
            super.init(primary: list, placeholder: ViewController())
            title = "Counts"
        }

        override func viewWillAppear() {
            super.viewWillAppear()
            count += 1
        }

        var state: Int? { count }
        func show(_ state: Int) { count = state }
        func settingDidChange() { heard += 1 }
    }

    private static let counts = DashboardSegment("counts", "Counts", badge: { _ in "!" }, make: CountSegment.init)

    private func dashboard(
        _ library: Library, state: DashboardState? = nil, start: String? = nil,
        segment: DashboardSegment = DefinesSegments.counts
    ) throws -> StartedDashboard {
        try StartedDashboard(
            library, height: 20, segment: start, segments: DashboardSegment.all + [segment],
            adjust: { $0.start.state = state })
    }

    /// A segment's badge is renewed when a part of the library changes that the segment names.
    @Test func renewsBadgesAfterTheChangesThatSegmentsName() async throws {
        let library = try Library(path: nil)
        let races = DashboardSegment(
            "races", "Races", badge: { access in DisplayText(String(access.read([]) { try $0.races.all() }.count)) },
            badgeParts: [.races], make: CountSegment.init)
        let dashboard = try dashboard(library, segment: races)
        let screen = dashboard.screen
        #expect(screen.lines[0].contains("Races 0"))
        try await library.store(RaceFile.read(Data(DashboardScreen.race.utf8)))
        #expect(await screen.wait { screen.lines[0].contains("Races 1") })
        withExtendedLifetime(dashboard) {}
    }

    @Test func supportsAnAdditionalSegment() throws {
        let library = try Library(path: nil)
        let dashboard = try dashboard(library)
        let screen = dashboard.screen
        let (title, key) = (DashboardSegment.all.last?.title.string ?? "", "\(DashboardSegment.all.count + 1)")
        #expect(screen.lines[0].contains("\(title)  Counts !"))
        screen.press(key)
        #expect(screen.lines[0].contains("▐Counts !▌"))
        screen.press(DashboardSegment.key(of: "stages"), key)
        dashboard.controller.saveState()
        let state = try #require(dashboard.saved.last)
        #expect(state.segment == "counts" && state.roots["counts"] == "2")
        // The next start begins there with the saved state.
        let second = try self.dashboard(library, state: state)
        #expect(second.screen.lines[0].contains("▐Counts !▌"))
        second.controller.saveState()
        #expect(["2", "3"].contains(second.saved.last?.roots["counts"]))
        // Named on the command line.
        #expect(try self.dashboard(library, start: "counts").screen.lines[0].contains("▐Counts !▌"))
    }

    /// The bar, the setting and its default follow the list of names.
    @Test func offersAllSegments() {
        let names = DashboardSegment.all.map(\.name)
        #expect(names == SegmentName.allCases.map(\.rawValue) && Set(names).count == names.count)
        #expect(Settings.definition(SettingKey.startSegment.name)?.kind == .choice(["automatic"] + names))
        #expect(Set(DashboardSegment.all.map(\.root)).count == names.count)
    }
}
