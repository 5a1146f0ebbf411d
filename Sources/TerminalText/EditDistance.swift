extension String {
    /// Returns the number of characters to insert, delete or replace to get the other text (Levenshtein).
    package func editDistance(to other: String) -> Int {
        let target = Array(other)
        var row = Array(0...target.count)
        for (index, character) in enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, opposite) in target.enumerated() {
                let above = row[place + 1]
                row[place + 1] = Swift.min(diagonal + (character == opposite ? 0 : 1), above + 1, row[place] + 1)
                diagonal = above
            }
        }
        return row[target.count]
    }
}
