/// Dispatch of keys, pasted text and mouse events.
extension Window {
    /// Dispatches a key press, innermost responder first.
    ///
    /// An unbound Alt-key counts as Esc followed by the key, because some terminals send a quick Esc that way (row
    /// TER-05).
    ///
    /// - Returns: Whether the key was handled.
    @discardableResult
    public func send(_ press: KeyPress) -> Bool {
        let isUsed = dispatch(press)
        if isUsed { usedKey() }
        return isUsed
    }

    private func dispatch(_ press: KeyPress) -> Bool {
        if !dispatcher.pending.isEmpty { setNeedsDisplay() }
        if press.modifiers.isEmpty, press.key == .tab || press.key == .backTab, isInForm,
            moveFocus(
                press.key == .tab ? 1 : -1,
                in: presented.layers.last?.root.view ?? focusedController.viewIfLoaded)
        {
            return true
        }
        // Commands that are available everywhere also close such a controller first.
        let closesFirst = presented.layers.last?.root.closesOnOtherKeys == true
        let chain = closesFirst ? responderChain.filter { $0 !== self } : responderChain
        switch dispatcher.dispatch(press, to: chain, keyMap: keyMap) {
        case .performed:
            setNeedsDisplay()
            return true
        case .waiting:
            setNeedsDisplay()
            return true
        case .unused:
            if press.key == .escape, let top = presented.layers.last {
                presented.dismissByUser(top)
                return true
            }
            if let top = presented.layers.last, top.root.closesOnOtherKeys {
                presented.dismiss(top.controller)
                return send(press)
            }
            let steps: [Key: Int] = [
                .down: 1, .character("j"): 1, .up: -1, .character("k"): -1, .tab: 1, .backTab: -1,
            ]
            if press.modifiers.isEmpty, let step = steps[press.key],
                moveFocus(step, in: focusedController.viewIfLoaded)
            {
                return true
            }
            guard press.modifiers.contains(.alt) else {
                let obstacle = dispatcher.obstacle(to: press, in: responderChain, keyMap: keyMap)
                if press.key != .escape { unusedKey(press, obstacle) }
                return false
            }
            send(KeyPress(.escape))
            return send(KeyPress(press.key, press.modifiers.subtracting(.alt)))
        }
    }

    /// Dispatches pasted text, which only views that accept text handle.
    public func send(paste text: String) {
        for responder in responderChain where responder.handle(paste: text) { return }
    }

    /// Dispatches a mouse event.
    public func send(_ event: MouseEvent) {
        layoutIfNeeded()
        var event = event
        event.clicks = clicks.count(event, at: now())
        switch event.action {
        case .drag, .release:
            if let mouseTarget { deliver(event, to: mouseTarget) }
            if case .release = event.action { mouseTarget = nil }
        case .press:
            dispatcher.reset()
            guard let target = target(of: event) else { return }
            focusByClick(target)
            mouseTarget = deliver(event, to: target)
            if case .press(.right) = event.action, mouseTarget == nil { contextMenu(event.location) }
        case .wheel, .horizontalWheel:
            if let target = target(of: event, dismisses: false) { deliver(event, to: target) }
        }
    }

    private func target(of event: MouseEvent, dismisses: Bool = true) -> View? {
        guard let top = presented.layers.last else { return rootViewController.view.hitTest(event.location) }
        if let hit = top.box.hitTest(event.location) { return hit }
        let popover = top.controller.popoverPresentationController
        if let hit = rootViewController.view.hitTest(event.location),
            popover.passthroughViews.contains(where: { hit.isDescendant(of: $0) })
        {
            return hit
        }
        // The click that dismisses does nothing else (row POP-02).
        if dismisses { presented.dismissByUser(top) }
        return nil
    }

    private func focusByClick(_ view: View) {
        var candidate: View? = view
        while let present = candidate {
            if present.canBecomeFocused { return focus(present) }
            candidate = present.superview
        }
    }

    @discardableResult
    private func deliver(_ event: MouseEvent, to view: View) -> View? {
        var candidate: View? = view
        while let present = candidate {
            let origin = present.convertToWindow(Point.zero)
            var local = event
            local.location = Point(x: event.location.x - origin.x, y: event.location.y - origin.y)
            if present.handle(local) { return present }
            candidate = present.superview
        }
        return nil
    }
}
