import CommonTesting
import Foundation
import Testing

/// Commands read files of gzip as what they contain, whatever their names.
@Suite struct ReadsCompressedFiles {
    private let temporary = TemporaryFolder()

    private static let feed = """
        <rss><channel><title>Compressed</title><item><title>One</title><guid>1</guid></item></channel></rss>
        """
    private static let list = """
        <opml version="2.0"><body><outline type="rss" text="One" xmlUrl="http://127.0.0.1:9/one"/></body></opml>
        """

    /// Writes `text` and the same in gzip, as two members.
    private func write(_ text: String) throws {
        let (first, second) = (text.prefix(20), text.dropFirst(20))
        try Data(text.utf8).write(to: URL(fileURLWithPath: temporary.path("plain")))
        try Data(first.utf8).write(to: URL(fileURLWithPath: temporary.path("first")))
        try Data(second.utf8).write(to: URL(fileURLWithPath: temporary.path("second")))
        let result = shell("(gzip -c first; gzip -c second) > whole.gz")
        #expect(result.code == 0, "\(result.errors)")
    }

    private func shell(_ script: String) -> Program.Outcome {
        Program.shell("cd '\(temporary.path(""))'; \(script)", home: temporary.url)
    }

    @Test(arguments: [("parse", feed), ("render", "<p>One <b>two</b></p>"), ("import --in-memory", list)])
    func readsWhatTheyContain(command: String, text: String) throws {
        try write(text)
        let plain = shell("\"$0\" \(command) plain")
        #expect(plain.code == 0 && plain.output.contains("1") || plain.output.contains("One"))
        for input in ["whole.gz", "- < whole.gz"] {
            let result = shell("\"$0\" \(command) \(input)")
            #expect(result.code == 0 && result.output == plain.output && result.errors == plain.errors, "\(input)")
        }
    }

    /// Nothing of an incomplete file is used, and no file fills the memory.
    @Test(arguments: ["parse", "render", "import --in-memory", "race check"])
    func refusesDamagedAndEndlessFiles(command: String) throws {
        try write(ReadsCompressedFiles.feed)
        let cases = [
            ("head -c 40 whole.gz > x", "incomplete or damaged"), ("printf '\\037\\213 no gzip' > x", "damaged"),
            ("head -c 80000000 /dev/zero | gzip -1 > x", "larger than 64 MiB"),
        ]
        for (script, reason) in cases {
            let result = shell("\(script); \"$0\" \(command) x")
            #expect(result.code == 65 && result.output.isEmpty, "\(script): \(result)")
            #expect(result.errors.contains(reason) && result.errors.split(separator: "\n").count == 1, "\(result)")
        }
    }
}
