import FeedParsing
import RaceModel

/// What the rows of an answer say about an edition or one of its stages.
struct WikidataPartDraft {
    private let isEdition: Bool
    private(set) var label, country: String?
    private(set) var first, last, day: CalendarDay?
    private(set) var edition: Int?
    private(set) var kinds: Set<EditionNaming.Kind> = []
    private(set) var divisions: Set<WikidataItem> = []
    private var number: Int?
    private var start, finish: String?
    private var length: Double?
    private var ranks: [WikidataList: [WikidataEdition.Rank]] = [:]
    /// The winners (P1346) by the result that they are about.
    private var winners: [WikidataItem?: WikidataEdition.Rank] = [:]

    /// The kinds of stages: stage, flat, mountain and hilly ones, time trials, prologue.
    private static let stageKinds = Set(
        [
            "Q18131152", "Q20646667", "Q20646668", "Q20646670", "Q20680270", "Q20679712", "Q2348250", "Q2266066",
            "Q485321",
        ].compactMap { WikidataItem($0) })
    private static let prologue = WikidataItem("Q485321")
    /// The results that winners are about: of a stage, and the lead after it.
    private static let (stageWinner, stageLeader) = (WikidataItem("Q20882747"), WikidataItem("Q20882763"))
    /// The results that winners of an edition are about, with list and place.
    private static let finalResults: [(result: WikidataItem?, standing: Classification, place: Int)] = [
        (PastWinner.generalWinner, .general, 1), (WikidataItem("Q20882668"), .general, 2),
        (WikidataItem("Q20882669"), .general, 3), (WikidataItem("Q20883007"), .points, 1),
        (WikidataItem("Q20883212"), .mountain, 1), (WikidataItem("Q20883139"), .youth, 1),
        (WikidataItem("Q20882921"), .teams, 1),
    ]
    private static let maximumRanks = 200
    /// The length from which a distance is taken for metres.
    private static let maximumKilometres = 500.0

    init(isEdition: Bool) { self.isEdition = isEdition }

    mutating func add(_ row: SPARQLRow) {
        if let list = row.word("list") {
            if let list = WikidataList(rawValue: list) { add(row, to: list) }
            return
        }
        addFacts(row)
        day = day ?? row.day("day")
        start = start ?? row.name("fromLabel")
        finish = finish ?? row.name("toLabel")
        number = number ?? row.word("number").flatMap(WikidataPartDraft.number)
        if length == nil {
            length = row.number("km").map { $0 > WikidataPartDraft.maximumKilometres ? $0 / 1000 : $0 }
                .ifSound(RaceBounds.isLength)
        }
    }

    /// Adds what editions of calendars have, too.
    mutating func addFacts(_ row: SPARQLRow) {
        label = label ?? row.name("itemLabel")
        country = country ?? row.name("landLabel")
        first = first ?? row.day("first")
        last = last ?? row.day("last")
        edition = edition ?? row.whole("edition", in: 1...9999)
        if let type = row.item("type"), kinds.count < 20 {
            kinds.insert(.init(item: type, label: row.name("typeLabel")))
        }
        if let division = row.item("division"), divisions.count < 20 { divisions.insert(division) }
    }

    private mutating func add(_ row: SPARQLRow, to list: WikidataList) {
        guard let name = row.name("whoLabel") else { return }
        var rank = WikidataEdition.Rank(
            place: 1, who: row.item("who"), name: name, team: row.name("teamLabel"),
            time: row.whole("time", in: 1...3_000_000), gap: row.whole("gap", in: 0...30 * 86_400),
            points: row.number("points").ifSound { $0.isBetween(-1e6, 1e6) })
        if list == .winner {
            let result = row.item("result")
            if winners[result] == nil { winners[result] = rank }
            return
        }
        guard let place = row.whole("rank", in: 1...1000),
            ranks[list]?.count ?? 0 < WikidataQuery.maximumRows
        else { return }
        rank.place = place
        ranks[list, default: []].append(rank)
    }

    /// Returns the number in a text such as `12` or `2a`.
    private static func number(_ text: String) -> Int? {
        let digits = text.utf8.prefix { (0x30...0x39).contains($0) }
        return (1...3).contains(digits.count) ? Int(String(decoding: digits, as: UTF8.self)) : nil
    }

    var yearInLabel: Int? { label.flatMap { EditionNaming.year(in: $0) } }

    // MARK: Results

    /// Returns the ranks of a standing in order: each rider once, one leader, and no gap smaller than the one before.
    private func list(_ standing: Classification) -> [WikidataEdition.Rank] {
        let found = WikidataList.allCases.lazy.filter { $0.standing == standing }.compactMap { ranks[$0] }.first
        var seen: Set<String> = []
        var (list, gap): ([WikidataEdition.Rank], Int) = ([], 0)
        let order = (found ?? []).enumerated().sorted {
            ($0.element.place, $0.offset) < ($1.element.place, $1.offset)
        }
        for var rank in order.map(\.element) {
            let isSecondLeader = rank.place == 1 && list.last?.place == 1 && standing != .results
            guard !isSecondLeader, list.count < WikidataPartDraft.maximumRanks,
                seen.insert(rank.who?.description ?? rank.name).inserted
            else { continue }
            if let behind = rank.gap {
                if behind < gap { rank.gap = nil }
                gap = max(gap, behind)
            }
            list.append(rank)
        }
        return list
    }

    private var lists: [Classification: [WikidataEdition.Rank]] {
        Classification.allCases.reduce(into: [:]) { lists, standing in
            let list = list(standing)
            if !list.isEmpty { lists[standing] = list }
        }
    }

    /// The final lists of an edition: those of its statements, or else its winners.
    var finalLists: [Classification: [WikidataEdition.Rank]] {
        var lists = lists
        lists[.results] = nil
        let known = Set(lists.keys)
        for (result, standing, place) in WikidataPartDraft.finalResults where !known.contains(standing) {
            guard let result, var rank = winners[result] else { continue }
            rank.place = place
            lists[standing, default: []].append(rank)
        }
        if lists[.general] == nil, let winner = winners[nil] { lists[.general] = [winner] }
        // A second without a winner would be the first of the list.
        if lists[.general]?.first?.place != 1 { lists[.general] = nil }
        return lists
    }

    // MARK: Stages

    /// The stage, or `nil` if the item is none.
    var stage: WikidataEdition.Part? {
        guard !isEdition else { return nil }
        let isKnownKind = kinds.contains { WikidataPartDraft.stageKinds.contains($0.item) }
        guard isKnownKind || number != nil && day != nil else { return nil }
        let isPrologue = kinds.contains { $0.item == WikidataPartDraft.prologue }
        var stage = WikidataEdition.Part(number: number ?? (isPrologue ? 0 : nil), day: day ?? first)
        (stage.start, stage.finish, stage.length) = (start ?? finish, finish ?? start, length)
        stage.kind = WikidataPartDraft.kind(kinds.compactMap(\.label))
        stage.lists = lists
        stage.winner = (winners[WikidataPartDraft.stageWinner] ?? winners[nil])?.name
        stage.leader = winners[WikidataPartDraft.stageLeader]?.name
        return stage
    }

    /// Returns the kind of stage that labels such as "mountain stage" mean.
    private static func kind(_ labels: [String]) -> CentreStage.Kind? {
        let words = Set(labels.flatMap { RaceWords.folded($0).split(separator: " ").map(String.init) })
        if words.contains("trial") || words.contains("prologue") {
            return words.contains("team") ? .teamTimeTrial : .individualTimeTrial
        }
        if words.contains("mountain") {
            return words.contains("medium") || words.contains("intermediate") ? .mediumMountain : .mountain
        }
        if words.contains("hilly") || words.contains("intermediate") { return .hilly }
        return words.contains("flat") || words.contains("plain") ? .flat : nil
    }
}
