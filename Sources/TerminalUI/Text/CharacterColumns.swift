extension Character {
    /// The width in columns.
    package var columns: Int { utf8.count == 1 ? 1 : DisplayText(String(self)).columns }
}
