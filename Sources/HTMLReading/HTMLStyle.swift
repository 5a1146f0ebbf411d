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
}
