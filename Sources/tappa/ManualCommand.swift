import ArgumentParser

struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the manual page: tappa manual | man -l -")

    func run() throws { StandardOutput.write(try Manual.page().utf8) }
}
