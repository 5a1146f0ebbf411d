extension NavigationController {
    /// The stack whose title the bar shows: in low panes the innermost with the focus, otherwise this one.
    private var titledNavigation: NavigationController {
        guard !isNested, traits.vertical < .regular else { return self }
        let focused = sequence(first: self as ViewController) { $0.focusedChild }
        return focused.compactMap { $0 as? NavigationController }.last ?? self
    }

    func barContent() -> NavigationBar.Content {
        var result = NavigationBar.Content()
        let titled = titledNavigation
        let item = topViewController?.navigationItem
        let hasRoomForTitleView = traits.vertical >= .compact && traits.horizontal > .minimal
        if let titleView = item?.titleView ?? persistentTitleView, hasRoomForTitleView {
            result.titleView = titleView
        }
        if titled !== self || result.titleView == nil || isNested {
            titled.fillTitle(of: &result)
            // A root beside its segment needs no title of the same name.
            let isNamed = (result.titleView as? SegmentedControl)?.selectedTitle == result.title
            if isNamed, result.back == nil { result.title = .empty }
        } else if let back = backItem {
            // Below a segmented control, only controllers pushed on this very stack have their title in the bar.
            result.back = back
            result.title = item?.barTitle ?? .empty
        }
        // The outermost stack is laid out first.
        result.right += hasRoomForTitleView ? item?.rightBarButtonItems ?? [] : []
        result.accessory = hasRoomForTitleView ? accessoryView : nil
        result.position =
            hasRoomForTitleView ? titled.topViewController?.navigationItem.position : positionText()
        result.prompt = traits.vertical == .regular ? titled.topViewController?.navigationItem.prompt : nil
        result.sharesLine =
            result.titleView != nil && (!result.title.isEmpty || result.lists != nil || result.back != nil)
        if traits.vertical == .line {
            // In one or two rows, only the current title.
            let title = titled.topViewController?.navigationItem.effectiveTitle ?? result.title
            result = NavigationBar.Content(title: title, isFocused: true, isTitleCutInMiddle: true)
        }
        return result
    }

    private func fillTitle(of content: inout NavigationBar.Content) {
        guard let item = topViewController?.navigationItem else { return }
        content.left = item.leftBarButtonItems
        if let button = splitViewController.flatMap({ DisplayModeButton(split: $0).placement(in: self) }) {
            if button.isAtLeft { content.lists = button.item } else { content.right.append(button.item) }
        }
        if item.leftBarButtonItems.isEmpty || item.leftItemsSupplementBackButton { content.back = backItem }
        content.title = item.barTitle
        if content.titleView == nil { content.titleView = item.titleView }
        content.isFocused = isInFocus
    }

    private var isInFocus: Bool { window?.focusedController.selfAndParents.contains(self) ?? false }

    private var backItem: BarButtonItem? {
        guard viewControllers.count > 1, let item = topViewController?.navigationItem, !item.hidesBackButton else {
            return nil
        }
        let below = viewControllers[viewControllers.count - 2]
        let name = below.navigationItem.backTitle ?? below.navigationItem.effectiveTitle
        return BarButtonItem(name.isEmpty ? "Back" : name.truncated(to: 16)) { [weak self] in self?.pop() }
    }
}
