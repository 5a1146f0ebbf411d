/// The reasons why a race can't be used.
package struct RaceFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems, a sentence each.
    package var problems: [String]
    package var description: String { problems.joined(separator: "; ") }

    package init(problems: [String]) { self.problems = problems }

    /// Creates an error from sentences, sorted by line, each with its line if known.
    init(byLine problems: [(line: Int?, sentence: String)]) {
        self.problems = problems.enumerated().sorted {
            ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }
        .prefix(RaceFileError.maximum)
        .map { problem in (problem.element.line.map { "line \($0): " } ?? "") + problem.element.sentence }
    }

    /// The maximum number of reported problems; more would not help.
    private static let maximum = 50
}
