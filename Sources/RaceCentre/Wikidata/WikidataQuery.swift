import FeedParsing
import RaceModel
import WebAddresses

/// A query to Wikidata's query service, in standard SPARQL 1.1, with a limit on its rows.
///
/// Labels are requested in English, in the language-independent form, and in French, in which many editions of small
/// races are named.
package enum WikidataQuery: Hashable, Sendable {
    /// The stage races that start in a year.
    case season(Int)
    /// An edition with its stages and results.
    case edition(WikidataItem)
    /// The winners of all editions of a race.
    case winners(WikidataItem)

    /// The maximum number of rows. Properties with several values take several rows.
    static let maximumRows = 6000

    /// The name under which the instant of the last answer is stored, such as `season 2026`.
    package var name: String {
        switch self {
        case .season(let year): "season \(year)"
        case .edition(let item): "edition \(item)"
        case .winners(let series): "winners \(series)"
        }
    }

    /// Returns the address of a request.
    ///
    /// - Parameter service: The address of a query service, without a query.
    package func address(at service: String) -> String {
        var address = service + "?format=json&query="
        for byte in text.utf8 {
            switch byte {
            case 0x20, 0x0A: address += "+"
            case _ where WikidataQuery.plainBytes.contains(byte): address.unicodeScalars.append(Unicode.Scalar(byte))
            default: address += PercentEncoding.encoded(byte)
            }
        }
        return address
    }

    /// The bytes that mean themselves in a query component with form encoding.
    private static let plainBytes = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*,;:@/?".utf8)

    /// The text of the query.
    var text: String {
        let lines =
            switch self {
            case .season(let year): WikidataQuery.lines(ofSeason: year)
            case .edition(let item): WikidataQuery.lines(ofEdition: item)
            case .winners(let series): WikidataQuery.lines(ofWinners: series)
            }
        return (WikidataQuery.prefixes + lines + ["LIMIT \(WikidataQuery.maximumRows)"]).joined(separator: "\n")
    }

    private static let prefixes = [
        "PREFIX wd: <http://www.wikidata.org/entity/>", "PREFIX wdt: <http://www.wikidata.org/prop/direct/>",
        "PREFIX p: <http://www.wikidata.org/prop/>", "PREFIX ps: <http://www.wikidata.org/prop/statement/>",
        "PREFIX pq: <http://www.wikidata.org/prop/qualifier/>", "PREFIX wikibase: <http://wikiba.se/ontology#>",
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>", "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>",
    ]

    /// Returns the patterns that bind the label of a bound variable to `NAMELabel`.
    private static func label(_ name: String) -> String {
        let languages = [("E", "en"), ("M", "mul"), ("F", "fr")]
        let labels = languages.map { suffix, language in
            "OPTIONAL { ?\(name) rdfs:label ?\(name)\(suffix) FILTER(LANG(?\(name)\(suffix)) = \"\(language)\") }"
        }
        let names = languages.map { "?\(name)\($0.0)" }.joined(separator: ", ")
        return labels.joined(separator: " ") + " BIND(COALESCE(\(names)) AS ?\(name)Label)"
    }

    /// - Parameter isNamed: Whether the value is an item whose label is wanted. The label is requested inside of the
    ///   optional part, because an unbound variable would match every item.
    private static func optional(_ property: String, _ name: String, isNamed: Bool = false) -> String {
        "OPTIONAL { ?item \(property) ?\(name) \(isNamed ? ". " + label(name) + " " : "")}"
    }

    /// Road races (P641 = Q3609) with a start (P580) and an end (P582).
    private static func lines(ofSeason year: Int) -> [String] {
        let year = year.limited(RaceLimits.years.lowerBound, RaceLimits.years.upperBound - 1)
        func newYear(_ year: Int) -> String {
            let zeros = String(repeating: "0", count: max(0, 4 - String(year).utf8.count))
            return "\"\(zeros)\(year)-01-01T00:00:00Z\"^^xsd:dateTime"
        }
        return [
            "SELECT ?item ?itemLabel ?first ?last ?type ?typeLabel ?landLabel ?edition ?division WHERE {",
            "?item wdt:P641 wd:Q3609 ; wdt:P580 ?first ; wdt:P582 ?last .",
            "FILTER(?first >= \(newYear(year)) && ?first < \(newYear(year + 1)))",
            optional("wdt:P31|wdt:P279", "type", isNamed: true), optional("wdt:P17", "land", isNamed: true),
            optional("wdt:P393", "edition"), optional("wdt:P2094", "division"), label("item"), "}",
            "ORDER BY ?first ?item",
        ]
    }

    /// An edition, what it consists of (P527, P361), and the statements about winners (P1346) and standings.
    private static func lines(ofEdition item: WikidataItem) -> [String] {
        let parts =
            "{ BIND(wd:\(item) AS ?item) } UNION { wd:\(item) wdt:P527 ?item } UNION { ?item wdt:P361 wd:\(item) }"
        return [
            "SELECT ?item ?itemLabel ?type ?typeLabel ?number ?day ?first ?last ?fromLabel ?toLabel ?km ?edition ?landLabel "
                + "?division ?list ?who ?whoLabel ?teamLabel ?rank ?time ?gap ?points ?result WHERE {", "{", parts,
            "?item wdt:P31 ?type .", optional("wdt:P1545", "number"), optional("wdt:P585", "day"),
            optional("wdt:P580", "first"), optional("wdt:P582", "last"), optional("wdt:P1427", "from", isNamed: true),
            optional("wdt:P1444", "to", isNamed: true), optional("wdt:P3157|wdt:P2043", "km"),
            optional("wdt:P393", "edition"), optional("wdt:P17", "land", isNamed: true),
            optional("wdt:P2094", "division"), label("item"), label("type"), "} UNION {", parts,
            statements(WikidataList.allCases), label("who"), "}", "}",
        ]
    }

    /// The winners (P1346) and the first of the general classification (P2321) of all instances of a race.
    private static func lines(ofWinners series: WikidataItem) -> [String] {
        [
            "SELECT ?item ?itemLabel ?day ?first ?list ?who ?whoLabel ?teamLabel ?rank ?result WHERE {",
            "?item wdt:P31 wd:\(series) .", optional("wdt:P580", "first"), optional("wdt:P585", "day"),
            statements([.winner, .general]), "FILTER(?list = \"winner\" || ?rank = 1)",
            label("item"), label("who"), "}", "ORDER BY ?first ?day ?item",
        ]
    }

    /// Statements with their rank (P1352), time (P2781), gap (P2911), points (P1358), team (P54) and the result that
    /// they are about (P2501, earlier P642).
    private static func statements(_ lists: [WikidataList]) -> String {
        let rows = lists.map { "(p:\($0.property) ps:\($0.property) \"\($0.rawValue)\")" }.joined(separator: " ")
        let qualifiers = [
            ("P1352", "rank"), ("P2781", "time"), ("P2911", "gap"), ("P1358", "points"), ("P2501|pq:P642", "result"),
        ]
        return "VALUES (?p ?ps ?list) { \(rows) } ?item ?p ?s . ?s ?ps ?who . "
            + "FILTER NOT EXISTS { ?s wikibase:rank wikibase:DeprecatedRank } "
            + qualifiers.map { "OPTIONAL { ?s pq:\($0) ?\($1) } " }.joined()
            + "OPTIONAL { ?s pq:P54 ?team . \(label("team")) }"
    }
}

/// The lists that statements about a race or a stage belong to.
enum WikidataList: String, CaseIterable, Sendable {
    case winner, stage, general, points, mountain, youth
    case teamTimes = "team times"
    case teamPoints = "team points"

    /// The property of the statements.
    var property: String { meaning.property }

    /// The list in a race file, or `nil` for winners.
    var standing: Classification? { meaning.standing }

    private var meaning: (property: String, standing: Classification?) {
        switch self {
        case .winner: ("P1346", nil)
        case .stage: ("P2417", .results)
        case .general: ("P2321", .general)
        case .points: ("P3494", .points)
        case .mountain: ("P4320", .mountain)
        case .youth: ("P4323", .youth)
        case .teamTimes: ("P3497", .teams)
        case .teamPoints: ("P3496", .teams)
        }
    }
}
