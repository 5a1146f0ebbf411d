import TerminalText

/// What a highlighter's class says about a piece of code: highlight.js, Prism, Pygments and Rouge.
enum CodeColors {
    /// Returns the role of code with these classes, or `nil` if it has no colour of its own.
    static func role(_ classes: String) -> TextRole? {
        for name in classes.split(separator: " ").prefix(10) {
            if let role = roles[name.hasPrefix("hljs-") ? name.dropFirst(5) : name] { return role }
        }
        return nil
    }

    private static let roles: [Substring: TextRole] = {
        var roles: [Substring: TextRole] = [:]
        let names: [(TextRole, String)] = [
            (.keyword, "keyword built_in type literal selector-tag tag k kc kd kn kp kr kt kv nt"),
            (.string, "string regexp char symbol s s1 s2 sa sb sc dl se sh si sx sr ss"),
            (.comment, "comment quote doctag c c1 ch cm cp cpf cs sd"),
        ]
        for (role, list) in names { for name in list.split(separator: " ") { roles[name] = role } }
        return roles
    }()
}
