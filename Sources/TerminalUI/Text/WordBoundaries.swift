/// Words of a line that is edited: what stands between blanks.
extension [Character] {
    /// Where the word before a place begins.
    func wordStart(before index: Int) -> Int {
        var index = index
        while index > 0, self[index - 1] == " " { index -= 1 }
        while index > 0, self[index - 1] != " " { index -= 1 }
        return index
    }

    /// Where the word after a place ends.
    func wordEnd(after index: Int) -> Int {
        var index = index
        while index < count, self[index] == " " { index += 1 }
        while index < count, self[index] != " " { index += 1 }
        return index
    }
}
