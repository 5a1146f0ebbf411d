extension ViewController {
    /// The nearest navigation controller around it (row SEG-03).
    public var navigationController: NavigationController? { ancestor() }
    /// The nearest split view around it.
    public var splitViewController: SplitViewController? { ancestor() }
}
