import CommonTesting
import Foundation
import Testing

/// Completions of the user's own names, and errors for names that don't exist.
@Suite(.timeLimit(.minutes(5))) struct CompletesArguments: ProgramSuite {
    let temporary = TemporaryFolder()

    /// Asks as a shell does: which argument, the index of the word, the cursor in it, and the words.
    private func completions(_ command: [String], _ argument: String, _ words: [String], shell: String = "bash")
        -> [String]
    {
        let call =
            ["---completion"] + command + ["--", argument, "\(words.count - 1)", "\(words.last?.utf8.count ?? 0)"]
            + words
        let result = tappa(call, environment: ["SAP_SHELL": shell])
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func offersTheUsersNames() throws {
        let feed = try temporary.write("<rss><channel><title>F</title></channel></rss>", to: "f.xml")
        try temporary.write(
            "[[rules]]\nname = \"star giro\"\nwhen = \"giro\"\nthen = [\"star\"]\n", to: ".config/tappa/config.toml")
        #expect(tappa("add", "--folder", "News", "--tag", "race", feed).code == 0)
        let url = try #require(tappa("list").output.split(separator: "\t").last).trimmingCharacters(in: .newlines)
        #expect(completions(["remove"], "positional@0", ["tappa", "remove", ""]) == [url])
        #expect(
            completions(["remove"], "positional@0", ["tappa", "remove", ""], shell: "zsh").contains(
                url.replacing(":", with: "\\:")))
        #expect(completions(["add"], "--folder", ["tappa", "add", "--folder", ""]) == ["News"])
        #expect(completions(["add"], "--tag", ["tappa", "add", "--tag", ""]) == ["race"])
        #expect(completions(["rules", "try"], "positional@0", ["tappa", "rules", "try", ""]) == ["star giro"])
        #expect(completions(["account", "sync"], "positional@0", ["tappa", "account", "sync", ""]) == [])
        #expect(!completions(["stages"], "--race", ["tappa", "stages", "--race", ""]).isEmpty)
        // Races that can be followed, also those of the user's own catalogue.
        try temporary.write(
            #"{"races": [{"id": "volta", "names": {"en": "Volta"}, "host": "http://127.0.0.1:9", "start": "07-04"}]}"#,
            to: ".config/tappa/sources.json")
        let known = completions(["race", "follow"], "positional@0", ["tappa", "race", "follow", ""])
        #expect(known.contains("tour-de-france") && known.contains("volta"), "\(known)")
        let names = completions(["list"], "--set", ["tappa", "list", "--set", "feeds."])
        #expect(names.contains("feeds.refresh=") && names.contains("terminal.escape-time="))
        #expect(
            completions(["list"], "--set", ["tappa", "list", "--set", "appearance.dates="]).sorted() == [
                "appearance.dates=day", "appearance.dates=iso", "appearance.dates=relative",
            ])
        #expect(completions(["config"], "--why", ["tappa", "config", "--why", ""]).contains("feeds.refresh"))
        for shell in ["bash", "zsh", "fish"] {
            #expect(tappa("--generate-completion-script", shell).output.contains("---completion"))
        }
    }

    /// bash splits words at equals signs and colons, and replaces only the last part.
    @Test func joinsTheWordsThatBashSplits() throws {
        try Data("<rss><channel><title>F</title></channel></rss>".utf8)
            .write(to: URL(fileURLWithPath: temporary.path("f.xml")))
        #expect(tappa("add", temporary.path("f.xml")).code == 0)
        let script = #"""
            program="$0"
            tappa() { "${program}" "$@"; }
            eval "$(tappa --generate-completion-script bash)"
            ask() {
                COMP_LINE="$1" COMP_POINT=${#1} COMPREPLY=()
                shift
                COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
                _tappa_whole_words tappa "${!#}" "" 2>/dev/null
                printf '%s ' "${COMPREPLY[@]}"
                echo
            }
            ask 'tappa list --set appearance.dates=' tappa list --set appearance.dates =
            ask 'tappa list --set appearance.dates=r' tappa list --set appearance.dates = r
            ask 'tappa config --why terminal.esc' tappa config --why terminal.esc
            ask 'tappa remove file:' tappa remove file :
            ask 'tappa remove file\:' tappa remove 'file\:'
            """#
        let result = Program.run(
            "/bin/bash", ["-c", script, Program.path.path], environment: Program.settings(temporary.url))
        let path = "//" + temporary.path("f.xml")
        #expect(
            result.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) } == [
                "relative day iso", "relative", "terminal.escape-time", path, "file:" + path,
            ], "\(result.errors)")
        // zsh adds no blank between a setting and its value.
        #expect(tappa("--generate-completion-script", "zsh").output.contains("suffix=(-S '')\n"))
    }

    /// Tab never creates a library.
    @Test func createsNothing() {
        let missing = temporary.path("none.sqlite")
        #expect(completions(["remove"], "positional@0", ["tappa", "remove", "--database", missing, ""]) == [])
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    @Test func rejectsWrongNamesInEveryCommand() {
        for command in ["list", "status", "export", "rules", "stages"] {
            let wrong = tappa(command, "--set", "feeds.refesh=1")
            #expect(wrong.code == 64 && wrong.output.isEmpty, "\(command)")
            #expect(wrong.errors.contains("no such setting: 'feeds.refesh'; did you mean 'feeds.refresh'?"))
        }
        #expect(
            tappa("list", "--set", "feeds.refresh=soon").failed(
                64, "tappa: feeds.refresh must be a whole number from 0 to 1440, not 'soon'\n"))
        let field = tappa("status", "--format", "{unread} of {feed}")
        #expect(
            field.code == 64 && field.output.isEmpty && field.errors.contains("'{feed}' isn't a field of the format"))
        #expect(tappa("status", "--format", "{} {1} {unread").code == 0)
        #expect(tappa("lst").failed(64, "tappa: no such command: 'lst'; 'tappa help' lists all\n"))
        let option = tappa("search", "--format", "json", "giro")
        #expect(option.code == 64 && option.output.isEmpty && option.errors.contains("Unknown option '--format'."))
        #expect(tappa("search", "giro", "-race").code == 0)
        // After "--" nothing is an option.
        #expect(tappa("search", "--json", "--", "zzzq", "-race").output == "[]\n")
        let missing = tappa("status", "--database", temporary.path("none.sqlite"))
        #expect(missing.code == 66 && missing.errors == "tappa: no such library: \(temporary.path("none.sqlite"))\n")
        #expect(!FileManager.default.fileExists(atPath: temporary.path("none.sqlite")))
    }
}
