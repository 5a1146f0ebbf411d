extension String {
    /// The string without white space at both ends.
    var trimmingBlanks: String {
        let bytes = utf8
        guard let first = bytes.first, let last = bytes.last else { return self }
        if !first.isBlank, !last.isBlank { return self }
        guard let start = bytes.firstIndex(where: { !$0.isBlank }),
            let end = bytes.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(self[start...end])
    }

    var nonEmpty: String? { isEmpty ? nil : self }
}
