import Foundation
import TerminalUITesting
import Testing

@testable import TerminalUI

/// Animations, and the life cycle of controllers that appear and disappear.
@MainActor @Suite struct MovesAndAppears {
    @Test func movesFromTheStartToTheEnd() {
        let animator = Animator()
        let start = ContinuousClock.now
        var (first, second): ([Double], [Double]) = ([], [])
        animator.run(at: start) { first.append($0) }
        #expect(first == [0] && animator.isRunning)
        animator.run(at: start + .milliseconds(100)) { second.append($0) }
        for milliseconds in [30, 75, 120, 150, 180, 250, 300] {
            animator.advance(to: start + .milliseconds(milliseconds))
        }
        #expect(first.count == 5 && first.last == 1 && first == first.sorted())
        // Fast at first, slow at the end: half the time covers three quarters of the way.
        #expect(first[2] == 0.75 && first.dropLast().allSatisfy { $0 < 1 })
        #expect(second.last == 1 && !animator.isRunning)
        animator.advance(to: start + .seconds(9))
        animator.finish()
        #expect(first.count == 5)
        animator.run(at: start) { first.append($0) }
        animator.finish()
        animator.finish()
        #expect(first.suffix(2) == [0, 1] && !animator.isRunning)
        // An animation started at the end of another one runs.
        var nested = 0
        animator.run(at: start) { share in
            if share == 1 { animator.run(at: start) { _ in nested += 1 } }
        }
        animator.finish()
        #expect(animator.isRunning && nested == 1)
        animator.finish()
        #expect(!animator.isRunning && nested == 2)
    }

    @Test func animatesOnlyWhereWanted() {
        let window = Window(rootViewController: ViewController(), size: Size(width: 20, height: 5))
        var shares: [Double] = []
        window.animate { shares.append($0) }
        #expect(shares == [1] && !window.isAnimating)
        window.motion = .full
        window.batchUpdates { window.animate { shares.append($0) } }
        #expect(shares == [1, 1] && !window.isAnimating)
        window.animate { shares.append($0) }
        #expect(shares == [1, 1, 0] && window.isAnimating)
        window.motion = .reduced
        #expect(shares.last == 1 && !window.isAnimating)
    }

    /// A slow frame ends animations, and their final state is drawn before the program waits for input.
    @Test func drawsTheFinalStateAfterASlowFrame() {
        let terminal = ScriptedTerminal([[], []])
        // Longer than the time between two frames of an animation.
        terminal.whilePresenting = { Thread.sleep(forTimeInterval: 0.04) }
        let application = Application(terminal: terminal, root: ViewController())
        application.window.motion = .full
        var shares: [Double] = []
        var needsRendering: [Bool] = []
        terminal.whileWaiting = {
            needsRendering.append(application.window.needsRendering)
            if needsRendering.count == 1 {
                application.window.animate { shares.append($0) }
            } else {
                application.finish()
            }
        }
        application.run()
        #expect(shares.last == 1 && !application.window.isAnimating)
        #expect(terminal.waits == [nil, nil] && needsRendering == [false, false])
    }

    @Test func notifiesTransitionObservers() {
        let coordinator = TransitionCoordinator()
        var (shares, ends): ([Double], [Bool]) = ([], [])
        #expect(!coordinator.hasAnimations)
        coordinator.animateAlongside { shares.append($0) }
        coordinator.animateAlongside { shares.append($0 * 10) }
        coordinator.onCompletion { ends.append($0) }
        coordinator.advance(to: 0.5)
        #expect(shares == [0.5, 5] && ends.isEmpty && coordinator.hasAnimations)
        coordinator.end(isCancelled: true)
        coordinator.end(isCancelled: false)
        coordinator.advance(to: 1)
        #expect(ends == [true] && shares.count == 2)
        // An observer that only waits for the end is notified too.
        final class Waiting: ViewController {
            var ends: [Bool] = []
            override func willTransition(to size: Size) {
                window?.transitionCoordinator?.onCompletion { [weak self] in self?.ends.append($0) }
            }
        }
        let waiting = Waiting()
        TestScreen(root: waiting, size: Size(width: 20, height: 5)).resize(21, 5)
        #expect(waiting.ends == [false])
    }

    /// A controller that shows another as soon as it appears: each call comes once, in order.
    @Test func appearsExactlyOnce() {
        final class Impatient: ViewController {
            let log: LifeCycleLog
            var next: ViewController?
            init(_ log: LifeCycleLog) {
                self.log = log
                super.init()
            }
            override func viewWillAppear() { log.calls.append("will appear") }
            override func viewDidAppear() {
                log.calls.append("did appear")
                if let next { navigationController?.push(next) }
                next = nil
            }
            override func viewWillDisappear() { log.calls.append("will disappear") }
            override func viewDidDisappear() { log.calls.append("did disappear") }
        }
        let log = LifeCycleLog()
        let impatient = Impatient(log)
        impatient.next = LoggedController("Next", log: log)
        let navigation = NavigationController(rootViewController: impatient)
        let screen = TestScreen(root: navigation, size: Size(width: 30, height: 8))
        #expect(
            log.take() == [
                "will appear", "did appear", "Next didLoad", "will disappear", "Next willAppear", "did disappear",
                "Next didAppear",
            ])
        screen.application.window.batchUpdates {
            navigation.pop()
            navigation.push(LoggedController("Other", log: log))
            navigation.pop()
        }
        #expect(
            log.take() == ["Other didLoad", "Next willDisappear", "will appear", "Next didDisappear", "did appear"])
        screen.application.window.batchUpdates { screen.application.window.batchUpdates {} }
        #expect(log.take().isEmpty)
    }

    @Test func popsToAnyLevel() {
        let log = LifeCycleLog()
        let levels = (0..<4).map { LoggedController("\($0)", log: log) }
        let navigation = NavigationController()
        let screen = TestScreen(root: navigation, size: Size(width: 30, height: 8))
        #expect(navigation.pop() == nil && navigation.popToRoot().isEmpty && navigation.topViewController == nil)
        navigation.setViewControllers(levels)
        #expect(navigation.pop(to: levels[1]) == [levels[2], levels[3]] && navigation.topViewController === levels[1])
        #expect(levels[2].parent == nil && levels[0].parent === navigation)
        #expect(navigation.pop(to: levels[1]).isEmpty && navigation.pop(to: levels[3]).isEmpty)
        #expect(navigation.viewControllers == [levels[0], levels[1]])
        #expect(navigation.pop() === levels[1] && navigation.pop() == nil)
        #expect(navigation.visibleChildren == [levels[0]])
        screen.application.render()
        #expect(screen.text.contains("view of 0") && !screen.text.contains("view of 1"))
        navigation.push(levels[3])
        levels[3].navigationItem.hidesBackButton = true
        screen.press("h", "esc")
        #expect(navigation.topViewController === levels[3] && !screen.text.contains("‹"))
        levels[3].navigationItem.hidesBackButton = false
        screen.press("h")
        #expect(navigation.topViewController === levels[0])
    }

    @Test(arguments: ["twice", "onTop"]) func rejectsAControllerOnTheStack(way: String) async {
        if way == "twice" {
            await #expect(processExitsWith: .failure) {
                await MainActor.run {
                    let controller = ViewController()
                    NavigationController().setViewControllers([controller, controller])
                }
            }
        } else {
            await #expect(processExitsWith: .failure) {
                await MainActor.run {
                    let controller = ViewController()
                    NavigationController(rootViewController: controller).push(controller)
                }
            }
        }
    }

    // MARK: Segments

    @Test func changesEachSegmentOnce() {
        let log = LifeCycleLog()
        let roots = ["One", "Two", "Three", "Four"].map { LoggedController($0, log: log) }
        let navigation = NavigationController()
        let segments = SegmentsController(navigationController: navigation, viewControllers: roots)
        var changes: [Int] = []
        segments.onChange = { changes.append($0) }
        let screen = TestScreen(root: navigation, size: Size(width: 60, height: 20))
        for index in [0, -1, 4, 99] { segments.selectedIndex = index }
        #expect(changes.isEmpty && segments.selectedIndex == 0)
        segments.setEnabled(false, at: 1)
        segments.setEnabled(false, at: 3)
        screen.press("tab")
        #expect(changes == [2])
        screen.press("tab")
        #expect(changes == [2, 0])
        screen.press("backtab")
        #expect(changes == [2, 0, 2])
        screen.press("2", "4", "3")
        #expect(changes == [2, 0, 2] && segments.selectedIndex == 2)
        // Code can select a disabled segment.
        segments.selectedIndex = 1
        #expect(changes.last == 1 && segments.segmentedControl.selectedSegmentIndex == 1)
        for index in 0..<4 { segments.setEnabled(false, at: index) }
        for key in ["tab", "backtab"] {
            screen.press(key)
            #expect(segments.selectedIndex == 1, "\(key)")
        }
        // Without room for names, their number and the first badge.
        segments.setBadge("12", at: 2)
        screen.resize(30, 6)
        #expect(screen.lines[0].hasSuffix("2/4 12") && !screen.lines[0].contains("Three"))
        segments.setBadge(nil, at: 2)
        screen.application.render()
        #expect(screen.lines[0].hasSuffix("2/4"))
    }

    private final class Restoring: ViewController, RestorableSegment {
        var state = ""
        var segmentState: Any { state }
        func restore(_ state: Any) { self.state = "restored \(state)" }
    }

    @Test func unloadsOnlyHiddenReloadableViews() {
        let navigation = NavigationController()
        var made: [Int] = []
        let segments = SegmentsController(
            navigationController: navigation,
            segments: (0..<3).map { index in
                .init(DisplayText("\(index)")) {
                    made.append(index)
                    return index == 1 ? ViewController() : Restoring()
                }
            })
        #expect(made == [0] && segments.segmentState(at: 1) == nil && segments.segmentState(at: 2) == nil)
        segments.selectedIndex = 1
        segments.selectedIndex = 2
        #expect(made == [0, 1, 2])
        (segments.rootIfMade(at: 0) as? Restoring)?.state = "kept"
        (segments.rootIfMade(at: 2) as? Restoring)?.state = "shown"
        segments.unload()
        #expect((0..<3).map { segments.rootIfMade(at: $0) != nil } == [false, true, true])
        #expect(segments.segmentState(at: 0) as? String == "kept" && segments.segmentState(at: 2) as? String == "shown")
        segments.unload()
        #expect(segments.segmentState(at: 0) as? String == "kept")
        segments.selectedIndex = 0
        #expect((segments.rootIfMade(at: 0) as? Restoring)?.state == "restored kept" && made == [0, 1, 2, 0])
        segments.selectedIndex = 2
        #expect((segments.rootIfMade(at: 2) as? Restoring)?.state == "shown")
    }
}
