/// The meaning of an element's inline style (CSS Display 3, CSS Visibility).
package enum HTMLStyle {
    /// Whether it hides the element.
    package static func hides(_ style: String) -> Bool {
        let style = style.lowercased()
        // Most styles contain neither word and need not be copied without white space.
        guard style.contains("none") || style.contains("hidden") else { return false }
        let rules = style.filter { !$0.isWhitespace }
        return rules.contains("display:none") || rules.contains("visibility:hidden")
    }

    /// Whether it keeps the lines of a text (CSS Text 3, `white-space`).
    package static func keepsLines(_ style: String) -> Bool {
        let style = style.lowercased()
        guard style.contains("white-space") else { return false }
        let rules = style.filter { !$0.isWhitespace }
        return ["pre", "break-spaces"].contains { rules.contains("white-space:" + $0) }
    }
}
