/// Answers of Wikidata's query service with invented contents, in its exact form (SPARQL 1.1 Query Results JSON).
package enum InventedWikidata {
    /// Returns an answer.
    ///
    /// - Parameter rows: The values by variable. Variables that end with `Label` are names; of the others, `Q1` is an
    ///   item, `2026-07-04` an instant, and a number a number.
    package static func answer(_ rows: [[String: String]], vars: [String]? = nil) -> String {
        let names = vars ?? Set(rows.flatMap(\.keys)).union(["item", "list", "who"]).sorted()
        let list = names.map { "\"\($0)\"" }.joined(separator: ",")
        let bindings = rows.map { row in
            "{" + row.sorted { $0.key < $1.key }.map { "\"\($0)\":\(value($1, of: $0))" }.joined(separator: ",") + "}"
        }
        return "{\"head\":{\"vars\":[\(list)]},\"results\":{\"bindings\":[\(bindings.joined(separator: ",\n"))]}}"
    }

    private static func value(_ text: String, of variable: String) -> String {
        let quoted = "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        if variable.hasSuffix("Label") { return #"{"xml:lang":"en","type":"literal","value":\#(quoted)}"# }
        if text.hasPrefix("Q"), Int(text.dropFirst()) != nil {
            return #"{"type":"uri","value":"http://www.wikidata.org/entity/\#(text)"}"#
        }
        if text.split(separator: "-").count == 3, text.allSatisfy({ $0.isNumber || $0 == "-" }) {
            return
                #"{"datatype":"http://www.w3.org/2001/XMLSchema#dateTime","type":"literal","value":"\#(text)T00:00:00Z"}"#
        }
        if Double(text) != nil {
            return #"{"datatype":"http://www.w3.org/2001/XMLSchema#decimal","type":"literal","value":\#(quoted)}"#
        }
        return #"{"type":"literal","value":\#(quoted)}"#
    }

    /// A row of a calendar.
    package static func race(
        _ item: String, _ name: String?, _ first: String, _ last: String, kind: (String, String)? = nil,
        country: String? = nil, edition: String? = nil, division: String? = nil
    ) -> [String: String] {
        var row = ["item": item, "first": first, "last": last]
        row["itemLabel"] = name
        row["type"] = kind?.0
        row["typeLabel"] = kind?.1
        row["landLabel"] = country
        row["edition"] = edition
        row["division"] = division
        return row
    }

    /// The calendar of 2026: a grand tour in two rows, a women's race, and a small one in autumn.
    package static let season = answer([
        race(
            "Q501", "2026 Volta a Invenção", "2026-07-04", "2026-07-08", kind: ("Q9001", "Volta a Invenção"),
            country: "Portugal", edition: "12"),
        race("Q501", "2026 Volta a Invenção", "2026-07-04", "2026-07-08", kind: ("Q22231107", "2.UWT")),
        race(
            "Q502", "2026 Tour of Sagres Ladies", "2026-11-18", "2026-11-22", kind: ("Q23005603", "2.WWT"),
            country: "Portugal", division: "Q1451845"),
        race(
            "Q502", "2026 Tour of Sagres Ladies", "2026-11-18", "2026-11-22",
            kind: ("Q9002", "Tour of Sagres Ladies"), country: "Portugal"),
        race("Q503", "Tour de l'Élan 2026", "2026-12-01", "2026-12-03", kind: ("Q9003", "Tour de l'Élan")),
    ])

    /// An edition of three stages, the first with a result, and the final standings.
    package static let edition = answer(
        [
            [
                "item": "Q501", "itemLabel": "2026 Volta a Invenção", "type": "Q9001", "typeLabel": "Volta a Invenção",
                "first": "2026-07-04", "last": "2026-07-06", "landLabel": "Portugal", "edition": "12",
            ],
            [
                "item": "Q501", "itemLabel": "2026 Volta a Invenção", "type": "Q22231107", "typeLabel": "2.UWT",
                "first": "2026-07-04", "last": "2026-07-06",
            ],
        ] + stages + results)

    private static let stages = [
        (1, "flat stage", "Porto", "Lisbon", "150.5"), (2, "mountain stage", "Lisbon", "Serra", "120"),
        (3, "individual time trial", "Faro", "Faro", "12500"),
    ].map { number, kind, from, to, km in
        [
            "item": "Q51\(number)", "itemLabel": "Stage \(number)", "type": "Q18131152", "typeLabel": kind,
            "number": "\(number)", "day": "2026-07-0\(number + 3)", "fromLabel": from, "toLabel": to, "km": km,
        ]
    }

    private static let results: [[String: String]] = [
        [
            "item": "Q511", "list": "stage", "who": "Q701", "whoLabel": "Ana Rio", "rank": "1", "time": "13500",
            "teamLabel": "Equipa Norte 2026",
        ],
        ["item": "Q511", "list": "stage", "who": "Q702", "whoLabel": "Bea Mar", "rank": "2", "gap": "12"],
        ["item": "Q512", "list": "winner", "who": "Q702", "whoLabel": "Bea Mar", "result": "Q20882747"],
        ["item": "Q512", "list": "winner", "who": "Q701", "whoLabel": "Ana Rio", "result": "Q20882763"],
        ["item": "Q501", "list": "general", "who": "Q701", "whoLabel": "Ana Rio", "rank": "1", "time": "32000"],
        ["item": "Q501", "list": "general", "who": "Q702", "whoLabel": "Bea Mar", "rank": "2", "gap": "31"],
        ["item": "Q501", "list": "points", "who": "Q702", "whoLabel": "Bea Mar", "rank": "1", "points": "75"],
        ["item": "Q501", "list": "team times", "who": "Q801", "whoLabel": "Equipa Norte 2026", "rank": "1"],
    ]

    /// The winners of three editions.
    package static let winners = answer([
        [
            "item": "Q501", "itemLabel": "2026 Volta a Invenção", "first": "2026-07-04", "list": "winner",
            "who": "Q701", "whoLabel": "Ana Rio", "result": "Q20882667",
        ],
        [
            "item": "Q501", "itemLabel": "2026 Volta a Invenção", "first": "2026-07-04", "list": "general",
            "who": "Q701", "whoLabel": "Ana Rio", "rank": "1", "teamLabel": "Equipa Norte 2026",
        ],
        [
            "item": "Q401", "itemLabel": "2025 Volta a Invenção", "first": "2025-07-05", "list": "winner",
            "who": "Q703", "whoLabel": "Cira Lago",
        ],
        [
            "item": "Q301", "itemLabel": "Volta a Invenção 1931", "list": "winner", "who": "Q704",
            "whoLabel": "Dora Serra",
        ],
    ])

    /// Returns the invented answer to a request for a path with a query, or `nil` for another path. Every edition is the
    /// same.
    package static func answer(toPath path: String) -> String? {
        guard path.hasPrefix("/sparql?") else { return nil }
        if path.contains("P641") { return season }
        guard path.contains("P527") else { return winners }
        return edition.replacing("Q501", with: path.firstMatch(of: /wd:(Q\d+)/)?.1 ?? "Q501")
    }
}
