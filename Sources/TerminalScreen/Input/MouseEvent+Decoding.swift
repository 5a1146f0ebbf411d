extension MouseEvent {
    /// Decodes `ESC [ < button ; column ; row` with `M` for a press or `m` for a release.
    static func decodedSGR(_ body: ArraySlice<UInt8>, _ final: UInt8) -> MouseEvent? {
        let parts = body.split(separator: 0x3B).map(InputDecoder.number)
        guard parts.count == 3, final == 0x4D || final == 0x6D else { return nil }
        return decoded(button: parts[0], column: parts[1], row: parts[2], isRelease: final == 0x6D)
    }

    /// Decodes the three bytes after `ESC [ M`, each 32 more than its value.
    static func decodedX10(_ bytes: ArraySlice<UInt8>) -> MouseEvent? {
        let values = bytes.map { Int($0) - 32 }
        guard values.count == 3 else { return nil }
        return decoded(
            button: values[0], column: values[1], row: values[2], isRelease: values[0] & 3 == 3 && values[0] < 64)
    }

    static func decoded(button: Int, column: Int, row: Int, isRelease: Bool) -> MouseEvent? {
        // Shift is 4, Alt 8 and Control 16.
        let modifiers = KeyModifiers(rawValue: UInt8(button >> 2 & 7))
        let buttons: [MouseEvent.Button] = [.left, .middle, .right]
        let action: MouseEvent.Action
        switch (button & 64 != 0, button & 3) {
        case (true, 0): action = .wheel(-1)
        case (true, 1): action = .wheel(1)
        case (true, 2): action = .horizontalWheel(-1)
        case (true, _): action = .horizontalWheel(1)
        case (false, _) where isRelease: action = .release
        case (false, 3): return nil
        case (false, let number):
            action = button & 32 != 0 ? .drag(buttons[number]) : .press(buttons[number])
        }
        return MouseEvent(action, at: Point(x: max(0, column - 1), y: max(0, row - 1)), modifiers)
    }
}
