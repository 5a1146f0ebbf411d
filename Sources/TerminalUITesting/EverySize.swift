import TerminalUI

extension TestScreen {
    /// Shows the program at each size from 0x0 to 12x12, at random larger ones, and finally at its original size.
    ///
    /// A trap ends the process. The final screen must equal the first (row SPL-12).
    ///
    /// - Parameters:
    ///   - count: The number of random sizes.
    ///   - share: Tests only one of this many sizes from 3x3 on, alternating between calls.
    ///   - generator: The source of random sizes.
    /// - Returns: An error message, or `nil`.
    public func fault(
        atEverySizeAnd count: Int, share: Int = 1, using generator: inout some RandomNumberGenerator
    ) -> String? {
        application.window.finishAnimations()
        application.render()
        let (size, before) = (terminal.size, text)
        var sizes = (0...12).flatMap { width in (0...12).map { Size(width: width, height: $0) } }
        sizes.removeAll { $0.width > 2 && $0.height > 2 && ($0.width * 5 + $0.height) % max(1, share) != 0 }
        for _ in 0..<count {
            sizes.append(
                Size(width: .random(in: 1...100, using: &generator), height: .random(in: 1...30, using: &generator)))
        }
        for other in sizes {
            resize(other.width, other.height)
            guard terminal.cells.size == other else { return "no frame of \(other.width)x\(other.height)" }
        }
        resize(size.width, size.height)
        return text == before ? nil : "expected:\n\(before)\nbut it is:\n\(text)"
    }

    /// The class names of all views in the window, including hidden ones.
    public var classesOfViews: Set<String> {
        var names: Set<String> = []
        func collect(_ view: View) {
            names.insert(String(describing: Swift.type(of: view)))
            for subview in view.subviews { collect(subview) }
        }
        let window = application.window
        var controller = window.presentedViewController
        collect(window.rootViewController.view)
        while let present = controller {
            var view = present.view
            while let around = view.superview { view = around }
            collect(view)
            controller = present.presentingViewController
        }
        return names
    }
}
