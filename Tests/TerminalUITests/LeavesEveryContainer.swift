import TerminalUI
import TerminalUITesting
import Testing

/// Esc, `q`, `h` and Backspace lead out of everything, at every width (row NAV-03).
@MainActor
@Suite struct LeavesEveryContainer {
    nonisolated private static let keys = ["esc", "q", "h", "backspace"]
    /// The most presses from the deepest level to the root and out, plus one for each list over the detail.
    private static let maximum = 7

    /// Levels from the first list to a page on top of the detail.
    fileprivate enum Depth: CaseIterable { case first, second, detail, page }

    @MainActor private struct Walk {
        let screen: TestScreen
        let split: SplitViewController
        let log = LifeCycleLog()

        init(_ style: SplitViewController.ColumnStyle, _ change: (SplitViewController) -> Void, showsDetailAtOnce: Bool)
        {
            let first = LoggedController("First", log: log, rows: 3)
            split = SplitViewController(
                style: style, primary: first, placeholder: LoggedController("Nothing", log: log))
            change(split)
            let navigation = NavigationController(rootViewController: split)
            screen = TestScreen(root: navigation, size: Size(width: 60, height: 8))
            if showsDetailAtOnce {
                split.show(LoggedController("Detail", log: log), in: .secondary, takesFocus: false)
            }
        }

        func go(to depth: Depth) {
            guard depth > .first else { return }
            split.show(LoggedController("Second", log: log, rows: 3))
            guard depth > .second else { return }
            let detail = LoggedController("Detail", log: log, rows: 3)
            split.showDetail(detail)
            guard depth > .detail else { return }
            detail.navigationController?.push(LoggedController("Page", log: log))
        }

        /// The state that a press can change.
        var state: [String] {
            [
                "\(split.focusedColumn)",
                SplitViewController.Column.allCases.map {
                    split.navigationController(for: $0).viewControllers.map(\.title.string).joined(separator: "/")
                }.joined(separator: "|"),
                screen.text,
            ]
        }

        /// Presses keys until the program ends or nothing changes.
        ///
        /// - Returns: The number of presses, or `nil` if the sequence repeats itself or is too long.
        func leave(by keys: [String]) -> Int? {
            var seen: [[String]] = [state]
            for press in 0..<LeavesEveryContainer.maximum {
                screen.press(keys[press % keys.count])
                if screen.application.isFinished { return press + 1 }
                let now = state
                if now == seen.last { return press }
                if seen.contains(now) { return nil }
                seen.append(now)
            }
            return nil
        }
    }

    private static let forms: [@MainActor (SplitViewController) -> Void] = [
        { _ in }, { $0.showsNarrowListAsPopover = true }, { $0.preferredSplitBehavior = .displace },
        { $0.preferredSplitBehavior = .overlay }, { $0.preferredDisplayMode = .primaryHidden },
        { $0.stacksListInTallPanes = true },
    ]

    @Test(arguments: keys) func NAV_03_everyWayOutWorksAtEveryWidth(key: String) {
        for depth in Depth.allCases {
            for width in 1...160 {
                let walk = Walk(.triple, LeavesEveryContainer.forms[0], showsDetailAtOnce: width % 2 == 0)
                walk.screen.resize(width, 8)
                walk.go(to: depth)
                let presses = walk.leave(by: [key])
                #expect(presses != nil, "\(key) at \(width) from \(depth)")
                #expect(walk.screen.application.isFinished == (key == "q"), "\(key) at \(width) from \(depth)")
                #expect(walk.split.focusedColumn == .primary, "\(key) at \(width) from \(depth)")
            }
        }
    }

    @Test(arguments: 0..<6) func NAV_03_leavesEveryLayout(form: Int) {
        for depth in Depth.allCases {
            for width in [1, 20, 57, 58, 70, 77, 78, 120, 147, 160] {
                for height in [4, 20, 40] {
                    for style in [SplitViewController.ColumnStyle.double, .triple] {
                        let walk = Walk(style, LeavesEveryContainer.forms[form], showsDetailAtOnce: height == 20)
                        walk.screen.resize(width, height)
                        walk.go(to: depth)
                        // In any order, and after opening the list.
                        walk.screen.press("\\")
                        let presses = walk.leave(by: ["q", "esc", "h", "q", "backspace", "q", "q"])
                        #expect(presses != nil, "\(width)x\(height) from \(depth), \(style)")
                    }
                }
            }
        }
    }

    /// A list over the detail is dismissed first, at each of its levels, and the program continues.
    @Test(arguments: keys, 58...77) func NAV_03_dismissesAListOverTheDetail(key: String, width: Int) {
        for isDeeper in [false, true] {
            let walk = Walk(.triple, LeavesEveryContainer.forms[0], showsDetailAtOnce: false)
            walk.screen.resize(width, 20)
            walk.go(to: .detail)
            walk.screen.press("\\")
            if !isDeeper { walk.screen.press("left") }
            #expect(walk.split.displayMode == .primaryOverlay)
            walk.screen.press(key)
            #expect(walk.split.displayMode == .primaryHidden && !walk.screen.application.isFinished)
            #expect(walk.screen.text.contains("Detail row 0"))
        }
    }

    /// The same presses lead to the same level in a narrow pane as in a single stack, including those sent before a
    /// frame.
    @Test(arguments: keys) func NAV_03_goingUpClosesTheDetail(key: String) {
        for width in [57, 58] {
            let walk = Walk(.triple, LeavesEveryContainer.forms[0], showsDetailAtOnce: false)
            walk.screen.resize(width, 20)
            walk.go(to: .detail)
            walk.screen.press(key)
            #expect(walk.split.focusedColumn == .supplementary && !walk.split.hasDetail, "\(width): \(walk.state)")
            #expect(walk.screen.text.contains("Second row 0"))
            walk.screen.press(key)
            #expect(walk.split.focusedColumn == .primary && walk.screen.text.contains("First row 0"))
        }
    }
}

extension LeavesEveryContainer.Depth: Comparable {
    fileprivate static func < (left: Self, right: Self) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}
