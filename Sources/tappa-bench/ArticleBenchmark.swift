import Foundation

/// Renders documents as text and compares seconds and memory of the whole program with w3m and lynx, if installed.
enum ArticleBenchmark {
    /// The sizes of the documents in bytes.
    private static let sizes = [200_000, 11_000_000]
    private static let runs = 5

    static func run(_ tappa: String) {
        for size in sizes {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("tappa-bench-\(size).html").path
            guard FileManager.default.createFile(atPath: file, contents: Data(document(size).utf8)) else { continue }
            defer { try? FileManager.default.removeItem(atPath: file) }
            let programs: [(name: String, words: [String])] = [
                ("tappa", [tappa, "render", file]),
                ("w3m", ["/usr/bin/w3m", "-dump", "-cols", "80", "-T", "text/html", file]),
                ("lynx", ["/usr/bin/lynx", "-dump", "-width=80", "-force_html", file]),
            ]
            for program in programs where FileManager.default.isExecutableFile(atPath: program.words[0]) {
                let times = (0..<runs).map { _ in Workload.measure(program.words).seconds }
                print("render \(size / 1000) kB, \(program.name): \(format(median(times) * 1000)) ms")
            }
        }
    }

    /// Returns a document with paragraphs, links, emphasis, headings, lists and tables, like an article.
    private static func document(_ size: Int) -> String {
        let words =
            "alpha corsa rosa giro stage mountain finish sprint rider team climb valley road wind rain sun of and to in"
            .split(separator: " ")
        var text = "<html><body>"
        text.reserveCapacity(size + 4096)
        var number = 0
        while text.utf8.count < size {
            if number % 10 == 0 { text += "<h2>Heading \(number)</h2>\n" }
            text += "<p>"
            for index in 0..<80 {
                let word = words[(number &* 31 &+ index &* 7) % words.count]
                switch index {
                case 10: text += "<a href=\"https://example.org/\(number)\">\(word)</a> "
                case 20: text += "<b>\(word)</b> "
                case 30: text += "<em>\(word)</em> caf&eacute; "
                default: text += word + " "
                }
            }
            text += "</p>\n"
            if number % 15 == 0 { text += "<ul><li>one \(number)</li><li>two</li></ul>" }
            if number % 25 == 0 { text += "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>22</td></tr></table>" }
            number += 1
        }
        return text
    }
}
