import TerminalUI

/// The colours of jerseys, by their names in the languages of the races.
enum JerseyColor {
    /// `nil` for a name without a colour that is known.
    static func of(_ jersey: String) -> Color? {
        let words = jersey.lowercased()
        return known.first { $0.names.contains { words.contains($0) } }?.color
    }

    private static let known: [(names: [String], color: Color)] = [
        (["rosa", "pink", "rose"], .rgb(0xF4, 0x7C, 0xB0)),
        (["jaune", "yellow", "giallo", "amarillo", "gelb"], .rgb(0xF2, 0xC8, 0x1C)),
        (["rojo", "roja", "red", "rosso", "rouge"], .rgb(0xD8, 0x2A, 0x2A)),
        (["verde", "vert", "green", "grün"], .rgb(0x2E, 0xA0, 0x4A)),
        (["azzurr", "azul", "bleu", "blue", "blau"], .rgb(0x2E, 0x6C, 0xD0)),
        (["oro", "gold", "ochre", "ocre"], .rgb(0xC8, 0x96, 0x1E)),
        (["orange", "arancio", "naranja"], .rgb(0xE8, 0x80, 0x20)),
    ]
}
