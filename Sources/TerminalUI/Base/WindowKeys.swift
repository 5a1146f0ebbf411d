/// Handles the keys of a window: along the responder chain, in forms, and as parts of incomplete sequences.
@MainActor
final class WindowKeys {
    private unowned let window: Window
    private var dispatcher = KeyDispatcher()

    init(of window: Window) { self.window = window }

    /// Whether the focused view accepts several typed characters as one edit, and no sequence is incomplete.
    var canType: Bool { dispatcher.pending.isEmpty && window.focusedView?.acceptsTyping == true }

    /// Inserts several typed characters into the focused view, if it accepts them.
    func insert(typed characters: [Character]) -> Bool {
        guard canType else { return false }
        window.focusedView?.insert(typed: characters)
        window.usedKey()
        return true
    }

    /// Whether a key needs no content of the screen: Esc, and the keys of commands with this trait.
    func needsNoContent(_ press: KeyPress) -> Bool {
        if press.key == .escape { return true }
        guard dispatcher.pending.isEmpty else { return false }
        if canType, InputEvent.key(press).typedCharacter != nil { return false }
        return command(for: press)?.definition.traits.contains(.needsNoContent) == true
    }

    /// Returns the innermost enabled command of a key that isn't part of a sequence.
    private func command(for press: KeyPress) -> Command? {
        window.responderChain.lazy.flatMap(\.commands).first { command in
            window.keyMap.keys(for: command.definition).contains { $0.presses == [press] } && command.isEnabled
        }
    }

    func reset() {
        dispatcher.reset()
        count = 0
    }

    /// Returns the responders that would receive a key if a controller had the focus, innermost first.
    func responders(from controller: ViewController) -> [Responder] {
        var focused = controller
        while let child = focused.focusedChild { focused = child }
        let innermost: Responder = focused.focusTarget ?? focused
        var chain = Array(sequence(first: innermost) { $0.nextResponder })
        if chain.last !== window { chain.append(window) }
        return chain
    }

    /// Returns which commands the responders from a controller outwards offer, by name.
    ///
    /// The outermost responders have the most commands, so they are asked only for those that no other one offers.
    func offered(_ names: [String], from controller: ViewController) -> Set<String> {
        var missing = Set(names)
        for responder in responders(from: controller) where !missing.isEmpty {
            for command in responder.commands where missing.contains(command.name) && command.isEnabled {
                missing.remove(command.name)
            }
        }
        return Set(names).subtracting(missing)
    }

    /// The number that was typed before a key, or 0.
    private var count = 0
    private static let maximumOfCount = 9999

    /// Dispatches a key press, innermost responder first. Where no command has a digit as its key, digits before a key
    /// are a count.
    ///
    /// - Returns: Whether the key was handled.
    func dispatch(_ press: KeyPress) -> Bool {
        // A count doesn't begin with a zero.
        if let digit = press.digit, digit > 0 || count > 0, isFreeForCount {
            // A view may take it as text.
            if count == 0, dispatchOnce(press) { return true }
            count = min(WindowKeys.maximumOfCount, count * 10 + digit)
            window.setNeedsDisplay()
            return true
        }
        let times = count
        count = 0
        guard times > 0 else { return dispatchOnce(press) }
        window.setNeedsDisplay()
        return dispatch(press, times: times)
    }

    /// Whether no command that the focus can reach has a digit as its key, and nothing accepts typed text.
    private var isFreeForCount: Bool {
        guard dispatcher.pending.isEmpty, window.focusedView?.acceptsTyping != true,
            window.presented.layers.last?.root.closesOnOtherKeys != true
        else { return false }
        return !window.responderChain.lazy.flatMap(\.commands).contains { command in
            window.keyMap.keys(for: command.definition).contains { keys in
                keys.presses.count == 1 && (keys.presses[0].digit ?? 0) > 0
            }
        }
    }

    /// Performs a key with a count: moves in a list or text are repeated, and the key for the last row goes to the row
    /// with that number.
    private func dispatch(_ press: KeyPress, times: Int) -> Bool {
        guard let command = command(for: press), command.definition.group == "Move" else { return dispatchOnce(press) }
        if command.definition == ListCommands.last || command.definition == TextCommands.bottom,
            window.focusedView?.go(toLine: times - 1) == true
        {
            return true
        }
        let top = window.presented.layers.count
        for _ in 0..<times {
            guard dispatchOnce(press) else { return false }
            // What has opened gets no keys that were meant for what is below.
            if window.presented.layers.count != top { break }
        }
        return true
    }

    private func dispatchOnce(_ press: KeyPress) -> Bool {
        if !dispatcher.pending.isEmpty { window.setNeedsDisplay() }
        if press.modifiers.isEmpty, press.key == .tab || press.key == .backTab, isInForm,
            moveFocus(
                press.key == .tab ? 1 : -1,
                in: window.presented.layers.last?.root.view ?? window.focusedController.viewIfLoaded)
        {
            return true
        }
        // Commands that are available everywhere also close such a controller first.
        let closesFirst = window.presented.layers.last?.root.closesOnOtherKeys == true
        let chain = closesFirst ? window.responderChain.filter { $0 !== window } : window.responderChain
        switch dispatcher.dispatch(press, to: chain, keyMap: window.keyMap) {
        case .performed, .waiting:
            window.setNeedsDisplay()
            return true
        case .unknownSequence(let keys):
            // Esc cancels a sequence.
            if press.key == .escape { return true }
            reportUnused(keys)
            return false
        case .unused:
            if press.key == .escape, let top = window.presented.layers.last {
                window.presented.dismissByUser(top)
                return true
            }
            if let top = window.presented.layers.last, top.root.closesOnOtherKeys {
                window.presented.dismiss(top.controller)
                return window.send(press)
            }
            let steps: [Key: Int] = [
                .down: 1, .character("j"): 1, .up: -1, .character("k"): -1, .tab: 1, .backTab: -1,
            ]
            if press.modifiers.isEmpty, let step = steps[press.key],
                moveFocus(step, in: window.focusedController.viewIfLoaded)
            {
                return true
            }
            guard press.modifiers.contains(.alt) else {
                if press.key != .escape { reportUnused(KeySequence([press])) }
                return false
            }
            window.send(KeyPress(.escape))
            return window.send(KeyPress(press.key, press.modifiers.subtracting(.alt)))
        }
    }

    private func reportUnused(_ keys: KeySequence) {
        window.unusedKey(keys, dispatcher.obstacle(to: keys, in: window.responderChain, keyMap: window.keyMap))
    }

    /// Whether Tab moves through the fields of a form: in presented controllers, and if a control has the focus. A view
    /// that wants Tab gets it.
    private var isInForm: Bool {
        guard let focusedView = window.focusedView, !focusedView.wantsTab else { return false }
        return !window.presented.layers.isEmpty || focusedView.isFormElement
    }

    /// Moves the focus among the views inside a view, wrapping around: by Tab in forms, and by arrows and Tab that
    /// nothing else handles.
    ///
    /// - Returns: Whether there were other views.
    private func moveFocus(_ step: Int, in root: View?) -> Bool {
        guard let root else { return false }
        var views: [View] = []
        func collect(_ view: View) {
            guard !view.isHidden else { return }
            if view.canBecomeFocused { views.append(view) }
            for subview in view.subviews { collect(subview) }
        }
        collect(root)
        guard views.count > 1, let focusedView = window.focusedView, let index = views.firstIndex(of: focusedView)
        else { return false }
        window.focus(views[(index + step + views.count) % views.count])
        return true
    }

    /// Draws the possible next keys of a sequence at the lower right.
    func drawHint(in surface: Surface) {
        if count > 0 {
            let text = DisplayText(" \(count) ")
            let size = window.size
            surface.draw(
                text, at: Point(x: size.width - text.columns, y: size.height - 1), style: window.theme[.popover])
        }
        guard !dispatcher.pending.isEmpty else { return }
        let rows = dispatcher.continuations(in: window.responderChain, keyMap: window.keyMap)
        let size = window.size
        let pane = Rect(origin: .zero, size: size)
        let keys = rows.map(\.keys.columns).max() ?? 0
        let width = min(size.width, keys + 3 + (rows.map(\.title.columns).max() ?? 0))
        let height = min(rows.count, size.height)
        let box = Rect(x: size.width - width, y: size.height - height, width: width, height: height).intersection(pane)
        surface.fill(box, style: window.theme[.popover])
        for (index, row) in rows.prefix(height).enumerated() {
            let line = surface.subsurface(Rect(x: box.minX, y: box.minY + index, width: width, height: 1))
            line.draw(row.keys, at: Point(x: 1, y: 0), style: window.theme[.accent])
            line.draw(row.title, at: Point(x: keys + 2, y: 0), style: window.theme[.popover])
        }
    }
}
