import Foundation
import LibraryKernel
import ModelCore
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame

/// What a start shows and how the program appears: each decision over all of its inputs.
@MainActor
@Suite struct DecidesAtTheStart {
    @Test func choosesTheSegmentByFlagStateAndSetting() {
        for value in ["automatic"] + SegmentName.allCases.map(\.rawValue) {
            for (isDay, hasFeeds) in [(false, false), (false, true), (true, false), (true, true)] {
                func name(_ asked: String?, _ restored: String?) -> String {
                    StartSegment.name(
                        asked: asked, restored: restored, setting: value, hasStageToday: isDay, hasFeeds: hasFeeds)
                }
                #expect(name("settings", "stages") == "settings" && name("settings", nil) == "settings")
                #expect(name(nil, "stages") == "stages")
                let chosen = !isDay && hasFeeds ? "feeds" : "stages"
                #expect(name(nil, nil) == (value == "automatic" ? chosen : value), "\(value) \(isDay) \(hasFeeds)")
            }
        }
    }

    /// The feed of a new library alone doesn't count, unless there is nothing else.
    @Test func countsFeedsToStartWith() {
        for (addresses, hasRaces, hasFeeds) in [
            ([], true, false), ([], false, false), (["guide"], true, false), (["guide"], false, true),
            (["own"], true, true), (["guide", "own"], false, true),
        ] {
            #expect(StartSegment.hasFeeds(addresses, bundled: ["guide"], hasRaces: hasRaces) == hasFeeds)
        }
    }

    /// It is 20 November.
    @Test(arguments: [("2026-11-20", "▐Stages▌"), ("2026-11-19", "▐Feeds"), ("2026-11-21", "▐Feeds")])
    func startsInStagesOnTheDayOfOne(date: String, segment: String) async throws {
        let race = DashboardScreen.race.replacing("2026-11-10", with: date)
        let dashboard = try await DashboardScreen(80, 24, segment: nil, race: race)
        #expect(dashboard.screen.text.contains(segment), "\(dashboard.screen.text)")
    }

    /// An unknown segment name opens the first segment.
    @Test func opensTheFirstSegmentForUnknownNames() async throws {
        #expect(try await DashboardScreen(80, 24, segment: "nothing").screen.text.contains("▐Stages▌"))
        let state = DashboardState(segment: "nothing")
        #expect(try await DashboardScreen(80, 24, segment: nil, state: state).screen.text.contains("▐Stages▌"))
        let settings = DashboardState(segment: "settings")
        #expect(try await DashboardScreen(80, 24, segment: nil, state: settings).screen.text.contains("▐Settings▌"))
        #expect(try await DashboardScreen(80, 24, segment: "feeds", state: settings).screen.text.contains("▐Feeds"))
    }

    @Test func countsUnreadInTheWindowTitle() {
        for unread in [0, 1, 2, 1000] {
            #expect(WindowTitle.text(isShown: false, unread: unread).isEmpty)
            let expected = unread == 0 ? "tappa" : "tappa · \(unread) unread"
            #expect(WindowTitle.text(isShown: true, unread: unread).string == expected)
        }
    }

    @Test func animatesOnlyWhereWantedAndVisible() {
        for isWanted in [true, false] {
            for isLinear in [true, false] {
                for colors in [TerminalCapabilities.ColorDepth.none, .sixteen, .palette, .direct] {
                    let motion = Motion.chosen(isWanted: isWanted, isLinear: isLinear, colors: colors)
                    #expect(motion == (isWanted && !isLinear && colors != .none ? .full : .reduced))
                }
            }
        }
    }

    private func settings(_ file: [String: String]) throws -> Settings {
        try Settings(library: try Library(path: nil), file: file)
    }

    @Test func sendsNotificationsAsConfigured() throws {
        useTimeZone()
        let noon = DashboardScreen.now
        let ways: [(String?, NotificationMethod?)] = [
            (nil, .terminal), ("terminal", .terminal), ("command", .command("notify-send")), ("off", nil),
        ]
        for (value, way) in ways {
            for (hours, isQuiet) in [("none", false), ("12-13", true), ("11-12", false), ("13-11", false)] {
                var file = ["notifications.quiet-hours": hours]
                file["notifications.by"] = value
                #expect(try settings(file).notificationWay(at: noon) == (isQuiet ? nil : way), "\(file)")
            }
        }
        let own = try settings(["notifications.by": "command", "notifications.command": "say -v 'a b'"])
        #expect(own.notificationWay(at: noon) == .command("say -v 'a b'"))
    }

    @Test func configuresTerminalColoursAndMarks() throws {
        let colors: [(String?, TerminalCapabilities.ColorDepth?)] = [
            (nil, nil), ("auto", nil), ("direct", .direct), ("256", .palette), ("16", .sixteen),
            ("none", TerminalCapabilities.ColorDepth.none),
        ]
        for (value, depth) in colors {
            #expect(try settings(value.map { ["appearance.colors": $0] } ?? [:]).colorDepth == depth)
        }
    }

    @Test func takesThresholdsFromTheSettings() throws {
        let standard = SizeClassThresholds(try settings([:]))
        #expect(standard == SizeClassThresholds())
        let own = SizeClassThresholds(
            try settings(["appearance.two-columns-from": "63", "appearance.three-columns-from": "101"]))
        #expect(own.regularWidth == 63 && own.wideWidth == 101)
        let sizes: [HorizontalSizeClass] = [57, 58, 62, 63, 100, 101].map(own.horizontal)
        #expect(sizes == [.compact, .narrow, .narrow, .regular, .regular, .wide])
    }

    @Test func restoresOnlyTheCurrentStateFormat() {
        for version in [0, 1, 2, 3, 99] {
            var state = DashboardState(segment: "feeds")
            state.version = version
            #expect(state.isCurrent == (version == DashboardState.currentVersion))
        }
        #expect(DashboardState(segment: "feeds").isCurrent)
    }
}
