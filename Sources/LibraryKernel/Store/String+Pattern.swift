extension String {
    /// The pattern for `LIKE … ESCAPE '\\'` that matches texts containing this text.
    package var likePattern: String {
        let escaped = ["\\", "%", "_"].reduce(self) { $0.replacing($1, with: "\\" + $1) }
        return "%" + escaped + "%"
    }
}
