import ModelCore
import TerminalUI

/// All commands with the user's keys, and the key bindings in the configuration that are invalid.
@MainActor
final class KeysViewController: ViewController {
    private let keys: UserKeys
    private let status: StatusController
    private let textView = TextView()

    init(keys: UserKeys, status: StatusController) {
        self.keys = keys
        self.status = status
        super.init()
        title = "Keys"
    }

    override func makeView() -> View { textView }

    override func viewWillAppear() { refresh() }

    private func refresh() {
        var paragraphs: [TextParagraph] = []
        if let problem = status.persistent[.configuration] {
            paragraphs += [TextParagraph(problem, .failure), .blank]
        }
        paragraphs += [
            TextParagraph(
                "To change keys, use the identifiers in parentheses under [keys] in the configuration file.", .secondary
            ),
            .blank,
        ]
        let (table, map) = (CommandTable.dashboard, keys.map)
        for place in table.places {
            let commands = table.commands.filter { $0.place == place && !$0.traits.contains(.unlisted) }
            if commands.isEmpty { continue }
            paragraphs.append(TextParagraph(place, .secondary))
            paragraphs += TextParagraph.facts(
                commands.map { command in
                    let keys = map.label(of: map.keys(for: command))
                    return (
                        name: keys.isEmpty ? "–" : keys,
                        value: command.title + DisplayText("  (\(command.name))")
                    )
                }, nameRole: .strong, maximumName: 22)
            paragraphs.append(.blank)
        }
        textView.setParagraphs(paragraphs)
    }
}
