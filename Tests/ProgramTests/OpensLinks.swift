import CommonTesting
import Foundation
import Testing

/// Opening a link in the desktop's browser, in a text browser, or in none.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OpensLinks {
    private let temporary = TemporaryFolder()
    private var folder: URL { temporary.url }

    private func dashboard(browser: String, path: String = "/usr/bin:/bin") async throws -> TmuxSession {
        let tmux = try TmuxSession(
            "tappa --in-memory --segment stages", width: 150, height: 24, home: folder.appendingPathComponent("home"),
            environment: "BROWSER='\(browser)' PATH=\(path)")
        #expect(await tmux.wait(for: "Amsterdam → Utrecht"))
        return tmux
    }

    @Test func passesArgumentsAndLinkToTheBrowser() async throws {
        let program = try temporary.script(
            "note it", "for word in \"$@\"; do echo \"[$word]\"; done > '\(folder.path)/words'")
        let tmux = try await dashboard(browser: "/no/such/one:\"\(program)\" --new \"two words\" %s --end")
        await tmux.press("o", expecting: "Opened in the browser.")
        let words = try String(contentsOf: folder.appendingPathComponent("words"), encoding: .utf8)
        let lines = words.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines.first == "[--new]" && lines.dropFirst().first == "[two words]" && lines.last == "[--end]")
        #expect(lines.dropFirst(2).first?.hasPrefix("[http") == true)
    }

    @Test func reportsAFailingOrMissingBrowser() async throws {
        let program = try temporary.script("broken", "exit 3")
        let tmux = try await dashboard(browser: program)
        await tmux.press("o", expecting: "broken failed (3)")
        let process = try #require(tmux.programID)
        // A picture may be decoded at the same time.
        let children = Program.run("/usr/bin/env", ["pgrep", "-P", "\(process)", "broken"]).output
        #expect(children.isEmpty)
    }

    @Test(arguments: [
        ("", "No browser found. Set BROWSER to one."),
        ("none", "Neither the browser 'none' nor another one was found."),
    ])
    func reportsThatThereIsNoBrowser(browser: String, sentence: String) async throws {
        let tmux = try await dashboard(browser: browser, path: folder.path)
        tmux.press("o")
        #expect(await tmux.wait(for: sentence))
    }

    @Test func handsTheTerminalToABrowser() async throws {
        let program = try temporary.script(
            "w3m", "stty -a | grep -q -- ' echo ' && echo \"page of $1\"; read line; echo \"$line\"")
        let tmux = try await dashboard(browser: program)
        tmux.press("o")
        #expect(await tmux.wait { $0.contains("page of http") && !$0.contains("Amsterdam → Utrecht") })
        #expect(tmux.command("display-message", "-p", "#{alternate_on} #{mouse_any_flag}").hasPrefix("0 0"))
        // The browser receives all keys, including the interrupt key.
        await tmux.press("C-c", expecting: "Amsterdam → Utrecht")
        #expect(await tmux.wait(for: "was killed by signal 2"))
        #expect(tmux.command("display-message", "-p", "#{alternate_on} #{mouse_any_flag}").hasPrefix("1 1"))
        await tmux.press("o", expecting: "page of http")
        await tmux.press("Enter", expecting: "Opened in the browser.")
        await tmux.press("j", "Q", expecting: "ended with 0")
    }
}
