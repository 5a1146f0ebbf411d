import RaceModel
import WebAddresses

extension KnownRace {
    struct Failure: Error {
        var sentence: String
    }

    static func read(_ node: JSONNode) -> Result<KnownRace, Failure> {
        guard node.isObject else { return .failure(Failure(sentence: "expected an object")) }
        guard let id = node["id"]?.text, isName(id) else {
            return .failure(Failure(sentence: "'id': expected lower-case letters, digits and hyphens"))
        }
        var names: [String: String] = [:]
        node["names"]?.forEachMember { key, value in
            if names.count < 50, let name = value.text { names[key.text] = name }
        }
        guard names["en"] != nil else { return .failure(Failure(sentence: "\(id): 'names' has no 'en'")) }
        guard let host = node["host"]?.text, let base = base(of: host) else {
            return .failure(Failure(sentence: "\(id): 'host' is not a host name or address"))
        }
        guard let start = node["start"]?.text.flatMap({ MonthDay($0) }) else {
            return .failure(Failure(sentence: "\(id): 'start': expected a month and a day such as 07-04"))
        }
        let site = node["site"]?.text
        if let site, self.base(of: site) == nil {
            return .failure(Failure(sentence: "\(id): 'site' is not a host name or address"))
        }
        var binds: [String: String] = [:]
        node["binds"]?.forEachMember { key, value in
            if binds.count < 50, let bind = value.text, isBind(bind) { binds[key.text] = bind }
        }
        let first = limited(node["first_year"]?.whole) ?? RaceLimits.years.lowerBound
        let last = limited(node["last_year"]?.whole) ?? RaceLimits.years.upperBound
        return .success(
            KnownRace(
                id: id, names: names, words: Array(JSONItems.of(node["words"]).compactMap(\.text).prefix(100)),
                base: base, site: site.flatMap { self.base(of: $0) },
                kind: node["kind"]?.text, isWomens: node["women"]?.bool ?? false, country: node["country"]?.text,
                jerseys: jerseys(node["jerseys"]), start: start, months: months(node["months"], start),
                hasStages: node["stages"]?.bool ?? true, years: first...max(first, last),
                foundingYear: node["edition_zero"]?.whole, binds: binds,
                wikidata: node["wikidata"]?.text.flatMap { WikidataItem($0) }, obstacle: node["obstacle"]?.text))
    }

    private static func limited(_ year: Int?) -> Int? {
        year.map { $0.limited(to: RaceLimits.years) }
    }

    private static func isName(_ text: String) -> Bool {
        text.utf8.count <= 60
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    private static func isBind(_ text: String) -> Bool {
        text.utf8.count <= 60
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "_" || $0 == "-")
            }
    }

    /// Returns the address of a host without a path, or `nil` if there can be no such host.
    private static func base(of host: String) -> String? {
        guard let address = WebAddress(WebAddress.completed(host)), address.isWeb, address.host?.isEmpty == false,
            address.user == nil, address.segments.allSatisfy(\.isEmpty), address.query == nil, address.fragment == nil
        else { return nil }
        // The normal form ends with the slash of the empty path.
        return String(address.text.dropLast(address.text.hasSuffix("/") ? 1 : 0))
    }

    private static func months(_ node: JSONNode?, _ start: MonthDay) -> [Int] {
        let months = node?.items.compactMap(\.whole).filter { (1...12).contains($0) } ?? []
        return months.isEmpty ? [start.month] : Array(months.prefix(12))
    }

    private static func jerseys(_ node: JSONNode?) -> [Jersey] {
        let known = Classification.standings.map(\.name)
        var jerseys: [Jersey] = []
        for item in JSONItems.of(node) {
            guard jerseys.count < known.count, let classification = item["classification"]?.text,
                known.contains(classification), let name = item["name"]?.text
            else { continue }
            jerseys.append(Jersey(classification: classification, name: name, color: item["color"]?.text))
        }
        return jerseys
    }
}
