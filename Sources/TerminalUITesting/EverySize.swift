import TerminalUI

extension TestScreen {
    /// Shows the program at each size from 0x0 to 12x12 and at random larger ones, and at its own size again.
    ///
    /// A trap on the way ends the process. The screen has to be the same at the end as at the beginning (row SPL-12).
    ///
    /// - Parameters:
    ///   - count: The number of random sizes.
    ///   - share: Leaves out sizes from 3x3 on but for one of so many, by turns.
    ///   - generator: Gives the random sizes.
    /// - Returns: What is wrong; `nil`: nothing.
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

    /// The names of the classes of all views that are in the window, hidden ones too.
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
