import FeedParsing
import Platform
import WebAddresses

/// An event of a calendar as part of a race: a stage, or a rest day.
struct CalendarEvent {
    let date: String
    /// The number in the summary, 0 for a prologue, or `nil` if there is none.
    let number: Int?
    /// The letter behind the number of a half of a stage, as in `3a`, or nothing.
    let half: String
    let isRestDay: Bool
    /// The type of the stage if the summary names it.
    private let type: String?
    private let event: CalendarFile.Event
    /// The summary without the words for the stage.
    private let route: String

    /// Creates the part of a race, or returns `nil` for an event without a date or a summary.
    init?(_ event: CalendarFile.Event) {
        guard let date = event.day, CalendarDay(date) != nil, let summary = event["SUMMARY"] else { return nil }
        self.date = date
        self.event = event
        let text = String(summary.prefix(CalendarEvent.longest))
        let words = CalendarEvent.words(of: text)
        let phrase = " " + words.map { $0.lowercased() }.joined(separator: " ") + " "
        isRestDay = CalendarEvent.restDays.contains { phrase.contains(" \($0) ") }
        let label = CalendarEvent.label(in: text, words)
        number = label?.number
        half = label?.half ?? ""
        var route = text
        if let label {
            let after = label.after.drop(while: CalendarEvent.isSeparator)
            route = String(after.isEmpty ? label.before : after)
        }
        // In "Giro: Alberobello - Lecce" the route follows the colon.
        if let colon = route.firstIndex(of: ":"), colon != route.indices.last {
            route = String(route.suffix(from: colon).dropFirst())
        }
        type =
            label?.number == 0
            ? "prologue" : CalendarEvent.types.first(where: { phrase.contains(" \($0.name) ") })?.type
        for (name, _) in CalendarEvent.types { route = route.replacing("(\(name.uppercased()))", with: "") }
        self.route = CalendarEvent.trimmed(route).isEmpty ? text : route
    }

    var order: (Int, String, String) { (number ?? 0, half, event["DTSTART"] ?? "") }

    /// Returns the stage with a number, and a label if the race writes its number differently.
    func stage(number: Int, label: String? = nil) -> Stage {
        var (route, distance) = CalendarEvent.distance(in: route)
        route = route.isEmpty ? self.route : route
        var towns = [route]
        for dash in CalendarEvent.dashes where route.contains(dash) {
            towns = route.split(separator: dash, maxSplits: 1).map(String.init)
            break
        }
        let names = towns.map { Markup.collapseSpaces($0) }
        var stage = Stage(number: number, date: date, start: names.first ?? route, finish: names.last ?? route)
        stage.distance =
            distance ?? event["DESCRIPTION"].flatMap { CalendarEvent.distance(in: String($0.prefix(40))).1 }
        stage.type = type
        stage.label = label == String(number) ? nil : label
        if event["STATUS"]?.uppercased() == "CANCELLED" { stage.status = "cancelled" }
        if let url = event["URL"], WebAddress.isWeb(url) { stage.articleURL = url }
        return stage
    }

    /// Whether the summary names two places.
    var hasRoute: Bool { CalendarEvent.dashes.contains(where: route.contains) }

    private static let dashes = ["→", "–", "—", " - ", ">", " to ", " nach "]

    // MARK: The words of a summary

    /// The maximum number of characters that are read.
    private static let longest = 1000
    /// The words for a stage, before or after its number, and for a prologue.
    private static let stages: Set<String> = [
        "stage", "étape", "etape", "etappe", "etapa", "tappa", "etap", "etapp", "rit",
    ]
    private static let prologues: Set<String> = ["prologue", "prolog", "prologo", "prólogo", "proloog"]
    private static let types: [(name: String, type: String)] = [
        ("itt", "individual time trial"), ("ttt", "team time trial"),
        ("team time trial", "team time trial"), ("time trial", "individual time trial"),
    ]
    private static let restDays = [
        "rest day", "restday", "jour de repos", "journée de repos", "repos", "ruhetag", "giorno di riposo", "riposo",
        "día de descanso", "dia de descanso", "jornada de descanso", "descanso", "rustdag", "hviledag", "vilodag",
    ]

    private static func words(of text: String) -> [Substring] { text.split { !$0.isLetter && !$0.isNumber } }

    /// Finds the number of a stage: `Stage 12`, `12. Etappe`, `Prologue`, or as in tappa's own calendars `Giro 12:`.
    ///
    /// - Returns: The number, the letter behind it, and the text before and after the words for it.
    private static func label(
        in text: String, _ words: [Substring]
    ) -> (number: Int, half: String, before: Substring, after: Substring)? {
        func found(
            _ number: (Int, half: String), _ first: Substring, _ last: Substring
        ) -> (Int, String, Substring, Substring) {
            (number.0, number.half, text.prefix(upTo: first.startIndex), text.suffix(from: last.endIndex))
        }
        for (index, word) in words.enumerated() {
            let name = word.lowercased()
            if prologues.contains(name) { return found((0, ""), word, word) }
            guard stages.contains(name) else { continue }
            if index + 1 < words.count, let number = number(words[index + 1]) {
                return found(number, word, words[index + 1])
            }
            if index > 0, let number = number(words[index - 1]) { return found(number, words[index - 1], word) }
        }
        // `S2` at the beginning, and `#2` anywhere.
        if let first = words.first, "se".contains(first.prefix(1).lowercased()), let number = number(first.dropFirst())
        {
            return found(number, first, first)
        }
        if let sign = words.first(where: {
            $0.startIndex > text.startIndex && text[text.index(before: $0.startIndex)] == "#"
        }),
            let number = number(sign)
        {
            return found(number, sign, sign)
        }
        guard let colon = text.firstIndex(of: ":"), let last = words.last(where: { $0.endIndex <= colon }),
            last.endIndex == colon, let number = number(last)
        else { return nil }
        return (number.0, number.half, "", text.suffix(from: colon))
    }

    /// Returns the number at the start of a word such as `2nd` or `12a`, and the letter of a half of a stage.
    private static func number(_ word: Substring) -> (Int, half: String)? {
        let digits = word.prefix { ("0"..."9").contains($0) }
        guard digits.count < 3, word.count - digits.count < 4 else { return nil }
        let half = word.dropFirst(digits.count).lowercased()
        return Int(digits).map { ($0, half.count == 1 && "a"..."d" ~= half ? half : "") }
    }

    /// Returns a route without its length in kilometres, and the length.
    private static func distance(in text: String) -> (String, Double?) {
        for word in words(of: text) {
            let unit = word.drop { ("0"..."9").contains($0) }
            guard ["km", "kms"].contains(unit.lowercased()) else { continue }
            let head = text.prefix(upTo: unit.startIndex).trimmingSuffix(while: \.isWhitespace)
            let value = head.reversed().prefix { "0123456789.,".contains($0) }.reversed()
            guard let distance = Double(String(value).replacing(",", with: ".")), distance > 0, distance < 1000 else {
                continue
            }
            var (before, after) = (head.dropLast(value.count), text.suffix(from: unit.endIndex))
            // Whatever else is in its brackets is about the stage and not about its towns.
            if let bracket = before.lastIndex(where: { "()[]".contains($0) }), "([".contains(before[bracket]) {
                before = before[..<bracket]
                after = after.drop { !")]".contains($0) }
            }
            after = after.drop { ")]".contains($0) }
            return (trimmed(before + " " + after), distance)
        }
        return (trimmed(text), nil)
    }

    private static func isSeparator(_ character: Character) -> Bool {
        character.isWhitespace || ":|–—-.,)]>→/·ªº°".contains(character)
    }

    /// Returns a text without the signs at its ends that separated it from something else.
    private static func trimmed(_ text: some StringProtocol) -> String {
        let end = String(text).drop { isSeparator($0) }
        return String(end.trimmingSuffix(while: { isSeparator($0) && $0 != "." && $0 != ")" || "([".contains($0) }))
    }
}

extension Substring {
    fileprivate func trimmingSuffix(while isOut: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isOut(last) { rest.removeLast() }
        return rest
    }
}
