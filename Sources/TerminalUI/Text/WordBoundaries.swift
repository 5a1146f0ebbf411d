/// Words of an edited line, separated by spaces.
extension [Character] {
    /// Returns the start of the word before an index.
    package func wordStart(before index: Int) -> Int {
        var index = index
        while index > 0, self[index - 1] == " " { index -= 1 }
        while index > 0, self[index - 1] != " " { index -= 1 }
        return index
    }

    /// Returns the end of the word after an index.
    func wordEnd(after index: Int) -> Int {
        var index = index
        while index < count, self[index] == " " { index += 1 }
        while index < count, self[index] != " " { index += 1 }
        return index
    }
}
