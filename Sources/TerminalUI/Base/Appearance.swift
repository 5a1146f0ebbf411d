/// Calls the life-cycle methods for controllers that became visible or invisible.
///
/// Containers only report which children are visible. Controllers that became invisible get willDisappear and
/// didDisappear, those that became visible willAppear and didAppear, and others nothing. Each method is called once,
/// however many containers took part in the change (row SEG-04). The order is the platform's: out will, in will, out
/// did, in did.
@MainActor
final class AppearanceCoordinator {
    private var visible: [ViewController] = []
    private var isUpdating = false
    private var needsAnotherPass = false
    private var batchDepth = 0

    /// Whether several containers change at once.
    var isInBatch: Bool { batchDepth > 0 }

    func batch(_ changes: () -> Void) {
        batchDepth += 1
        changes()
        batchDepth -= 1
    }

    func update(roots: [ViewController]) {
        if isUpdating {
            needsAnotherPass = true
            return
        }
        isUpdating = true
        defer { isUpdating = false }
        repeat {
            needsAnotherPass = false
            let now = trees(roots)
            let outgoing = visible.filter { !now.contains($0) }
            let incoming = now.filter { !visible.contains($0) }
            visible = now
            // An interactive transition has already called these methods.
            begin(
                outgoing: outgoing.filter { $0.appearance != .disappearing },
                incoming: incoming.filter { $0.appearance != .appearing })
            end(outgoing: outgoing, incoming: incoming)
            for controller in outgoing + visible { controller.forgetWhyItMoves() }
        } while needsAnotherPass
    }

    /// Starts a change that the user may still cancel, such as a pop by dragging (row SEG-04).
    func beginTransition(from outgoing: ViewController, to incoming: ViewController) {
        outgoing.isMovingFromParent = true
        begin(outgoing: trees([outgoing]), incoming: trees([incoming]))
    }

    /// Cancels a change. The incoming controller disappears and the outgoing one reappears, each method called once and
    /// in order.
    func cancelTransition(from outgoing: ViewController, to incoming: ViewController) {
        let (staying, leaving) = (trees([outgoing]), trees([incoming]))
        outgoing.isMovingFromParent = false
        begin(outgoing: leaving, incoming: [])
        end(outgoing: leaving, incoming: [])
        begin(outgoing: [], incoming: staying)
        end(outgoing: [], incoming: staying)
    }

    private func begin(outgoing: [ViewController], incoming: [ViewController]) {
        for controller in outgoing {
            controller.appearance = .disappearing
            controller.viewWillDisappear()
        }
        for controller in incoming {
            _ = controller.view
            controller.appearance = .appearing
            controller.viewWillAppear()
        }
    }

    private func end(outgoing: [ViewController], incoming: [ViewController]) {
        for controller in outgoing {
            controller.appearance = .disappeared
            controller.viewDidDisappear()
        }
        for controller in incoming {
            controller.appearance = .appeared
            controller.viewDidAppear()
        }
    }

    /// Returns controllers with all that are visible in them.
    private func trees(_ roots: [ViewController]) -> [ViewController] {
        var list: [ViewController] = []
        func collect(_ controller: ViewController) {
            list.append(controller)
            for child in controller.visibleChildren { collect(child) }
        }
        for root in roots { collect(root) }
        return list
    }
}
