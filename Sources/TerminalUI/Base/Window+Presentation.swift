/// Presentation of controllers over the root controller.
extension Window {
    /// The topmost presented controller, if any.
    public var presentedViewController: ViewController? { presentations.last?.controller }

    /// Whether a popover is presented, or a sheet in its place.
    var presentsPopover: Bool { presentations.contains { $0.style(in: self) == .popover } }

    func present(_ controller: ViewController, from presenter: ViewController) {
        // Presenting from inside a presented controller stacks; otherwise it replaces (row POP-05).
        while let top = presentations.last, presenter.root !== top.root { dismiss(top.controller) }
        let presentation = Presentation(controller: controller, window: self)
        if controller.modalPresentationStyle == .popover {
            let popover = controller.popoverPresentationController
            precondition(
                popover.hasAnchor,
                "a popover needs a barButtonItem or a sourceView before it is presented")
            presenter.splitViewController?.popoverWillBePresented(from: presenter)
        }
        controller.presentingViewController = presenter
        presenter.presentedViewController = controller
        controller.hostWindow = self
        controller.updateTraits()
        presentation.view.hostWindow = self
        presentations.append(presentation)
        presentation.view.addSubview(controller.view)
        controller.isBeingPresented = true
        updateAppearance()
    }

    func dismiss(_ controller: ViewController) {
        guard let index = presentations.firstIndex(where: { $0.controller === controller || $0.root === controller })
        else { return }
        for presentation in presentations[index...].reversed() {
            presentation.root.view.removeFromSuperview()
            presentation.controller.isBeingDismissed = true
            presentation.controller.presentingViewController?.presentedViewController = nil
            presentation.controller.presentingViewController = nil
        }
        let gone = presentations[index...].map(\.root)
        presentations.removeSubrange(index...)
        updateAppearance()
        for root in gone { root.hostWindow = nil }
    }

    /// Dismisses all presented controllers.
    func dismissAll() {
        if let first = presentations.first { dismiss(first.controller) }
    }

    func dismissByUser(_ presentation: Presentation) {
        let popover = presentation.controller.popoverPresentationController
        guard popover.delegate?.popoverShouldDismiss(popover) ?? true else { return }
        dismiss(presentation.controller)
        popover.delegate?.popoverDidDismiss(popover)
    }

    /// Dismisses the topmost presented controller at the user's request.
    func dismissTopByUser() {
        if let top = presentations.last { dismissByUser(top) }
    }

    func layoutPresentations() {
        var lost: [ViewController] = []
        for presentation in presentations {
            if presentation.layout(in: self) {
                presentation.view.layoutTree()
            } else {
                lost.append(presentation.controller)
            }
        }
        guard !lost.isEmpty else { return }
        isLayingOut = false
        for controller in lost { dismiss(controller) }
    }

    /// Returns the frame of a bar item in the window if a bar shows it.
    func rect(of item: BarButtonItem) -> Rect? {
        func search(_ view: View) -> Rect? {
            guard !view.isHidden else { return nil }
            if let bar = view as? BarButtonItemHost, let rect = bar.rect(of: item) {
                return view.convertToWindow(rect)
            }
            for subview in view.subviews {
                if let found = search(subview) { return found }
            }
            return nil
        }
        for presentation in presentations.reversed() {
            if let found = search(presentation.view) { return found }
        }
        return search(rootViewController.view)
    }
}
