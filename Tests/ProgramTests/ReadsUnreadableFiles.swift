import CommonTesting
import Foundation
import Testing

/// Standard input and files that can't be read end a command with a sentence.
@Suite struct ReadsUnreadableFiles {
    private let temporary = TemporaryFolder()

    private static let commands = ["parse", "render", "import --in-memory", "race check", "race import"]

    private func expectOneSentence(_ script: String) {
        let result = Program.shell(script, home: temporary.url)
        // A signal would give a status above 128.
        #expect(result.code == 74, "\(script): \(result.code)")
        #expect(result.output.isEmpty, "\(script): \(result.output)")
        #expect(result.errors.hasPrefix("tappa: "), "\(script): \(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1, "\(script): \(result.errors)")
    }

    /// A directory, a file whose first page can't be read, a closed descriptor, and one that is only open for writing.
    @Test(arguments: commands, ["</", "</proc/self/mem", "<&-", "3>output <&3"])
    func endsWithoutStandardInput(command: String, input: String) {
        // The shell opens it, so that the memory of a running program is meant.
        expectOneSentence("cd \"$HOME\"; exec \(input); \"$0\" \(command) -")
    }

    @Test(arguments: commands + ["list --config"])
    func endsWithoutAFile(command: String) {
        // An import reads directories.
        let files = command.hasPrefix("import") ? ["/proc/self/mem"] : ["/", "/proc/self/mem"]
        for file in files { expectOneSentence("exec \"$0\" \(command) \(file)") }
    }

    /// All programs wait for a writer at the same time.
    @Test func doesNotWaitForAPipeWithoutAWriter() {
        let pipe = temporary.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let commands = ReadsUnreadableFiles.commands + ["list --config"]
        let script = commands.map { "{ \"$0\" \($0) '\(pipe)' || echo $?; } & " }.joined() + "wait"
        let result = Program.shell(script, home: temporary.url)
        #expect(result.output == String(repeating: "74\n", count: commands.count))
        let sentences = result.errors.split(separator: "\n")
        #expect(sentences.count == commands.count && sentences.allSatisfy { $0.hasPrefix("tappa: ") }, "\(sentences)")
    }
}
