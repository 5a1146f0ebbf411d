/// A mark on a server.
package enum RemoteMark: Hashable, Sendable {
    case read
    case starred
    /// A label with this name, on servers that support labels.
    case later
    /// A label of the user, on servers that support labels.
    case label(String)

    private static let labelPrefix = "label/"

    /// The stored name of the mark: `read`, `starred`, `later`, `label/NAME`.
    package var name: String {
        switch self {
        case .read: "read"
        case .starred: "starred"
        case .later: "later"
        case .label(let label): RemoteMark.labelPrefix + label
        }
    }

    package init?(name: String) {
        switch name {
        case "read": self = .read
        case "starred": self = .starred
        case "later": self = .later
        default:
            guard name.hasPrefix(RemoteMark.labelPrefix) else { return nil }
            self = .label(String(name.dropFirst(RemoteMark.labelPrefix.count)))
        }
    }

    /// Whether the mark is a label, which some servers don't support.
    package var isLabel: Bool {
        switch self {
        case .read, .starred: false
        case .later, .label: true
        }
    }
}
