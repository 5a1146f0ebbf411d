import RaceModel
import TerminalUI

extension [Jersey] {
    /// Returns the jersey of a classification's leader.
    package func of(_ list: Classification) -> Jersey? { first { $0.classification == list.name } }
}

/// The colours of jerseys, by their names in the languages of the races.
enum JerseyColor {
    /// Returns the colour of a jersey: `#ff0000`, a name, or a colour in the jersey's own name.
    static func of(_ jersey: Jersey) -> Color? { jersey.color.flatMap { number($0) ?? of($0) } ?? of(jersey.name) }

    private static func number(_ text: String) -> Color? {
        guard text.hasPrefix("#"), text.utf8.count == 7, let number = UInt32(text.dropFirst(), radix: 16) else {
            return nil
        }
        return .rgb(UInt8(number >> 16), UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF))
    }

    /// Returns the colour in a jersey's name, or `nil` if there is none.
    static func of(_ jersey: String) -> Color? {
        let words = jersey.lowercased()
        return known.first { $0.names.contains { words.contains($0) } }?.color
    }

    /// Whether a colour is white, which is invisible on a light ground.
    static func isWhite(_ color: Color) -> Bool {
        (0xE0...0xFF).contains { level in color == .rgb(level, level, level) }
    }

    /// The minimum contrast of a sign to its background (WCAG 2.2, 1.4.11).
    private static let minimumContrast = 3.0

    /// Returns a colour, darker or lighter if it would hardly be visible on a background, such as yellow on white.
    static func standingOut(_ color: Color, from ground: RGB) -> Color {
        guard let wish = color.components(standard: ground, ansi: [:]), !wish.standsOut(from: [ground], minimumContrast)
        else { return color }
        let visible = wish.steps(awayFrom: [ground]).first { $0.standsOut(from: [ground], minimumContrast) }
        return visible.map { Color.rgb($0.red, $0.green, $0.blue) } ?? color
    }

    private static let known: [(names: [String], color: Color)] = [
        (["rosa", "pink", "rose"], .rgb(0xF4, 0x7C, 0xB0)),
        (["jaune", "yellow", "giallo", "amarill", "amarel", "gelb", "geel", "gul"], .rgb(0xF2, 0xC8, 0x1C)),
        (["rojo", "roja", "red", "rosso", "rouge"], .rgb(0xD8, 0x2A, 0x2A)),
        (["verde", "vert", "green", "grün"], .rgb(0x2E, 0xA0, 0x4A)),
        (["azzurr", "azul", "bleu", "blue", "blau"], .rgb(0x2E, 0x6C, 0xD0)),
        (["oro", "gold", "ochre", "ocre"], .rgb(0xC8, 0x96, 0x1E)),
        (["orange", "arancio", "naranja"], .rgb(0xE8, 0x80, 0x20)),
        (["white", "blanc", "bianc", "branc", "weiß"], .rgb(0xFF, 0xFF, 0xFF)),
        (["polka", "pois", "lunares"], .rgb(0xD8, 0x2A, 0x2A)),
    ]
}

extension View {
    /// The background of the view if it is known: that of the theme, or the terminal's own.
    var knownGround: RGB? { theme.colors?.background ?? traits.capabilities.ownColors?.background }

    /// Returns a jersey's colour, darker or lighter if it would hardly be visible on the view's background.
    func visible(_ jersey: Color) -> Color {
        knownGround.map { JerseyColor.standingOut(jersey, from: $0) } ?? jersey
    }
}
