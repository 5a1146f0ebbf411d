/// Writes an edition as a race file (`Assets/race.schema.json`, with the additions of version 3).
///
/// Each part comes from the newest response that could be read, or else from the previous file. So an error in one part
/// changes nothing in it and nothing in the others.
package struct EditionAssembler {
    /// What to write beyond the facts.
    package struct Options: Hashable, Sendable {
        /// The version that the file claims. Additions of version 3 are ignored by readers of version 2.
        var schema: Int
        /// Whether addresses of the organiser's pictures are included.
        var includesPictures: Bool

        package init(schema: Int = 2, includesPictures: Bool = false) {
            self.schema = schema
            self.includesPictures = includesPictures
        }
    }

    let parts: EditionParts
    let previous: PreviousRace
    let options: Options
    var roster: RaceFileRoster

    /// Returns a race file, or `nil` if not even the stages are known.
    ///
    /// - Parameters:
    ///   - previous: The file that was written before, or the stored race in the same format.
    package static func race(
        _ parts: EditionParts, keeping previous: [UInt8]? = nil, options: Options = Options()
    ) -> [UInt8]? {
        var assembler = EditionAssembler(
            parts: parts, previous: PreviousRace(previous), options: options,
            roster: RaceFileRoster(parts.roster.value ?? CentreRoster(), previous: PreviousRace(previous)))
        return assembler.write()
    }

    private mutating func write() -> [UInt8]? {
        let stages = self.stages()
        guard !stages.isEmpty else { return nil }
        let withdrawals = self.withdrawals(Set(stages.map(\.number)))
        let (race, year) = (parts.edition.race, parts.edition.year)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("schema", options.schema)
            writer.member("race", race.name)
            writer.member("year", year)
            if let zero = race.foundingYear, (1...99_999).contains(year - zero) {
                writer.member("edition", year - zero)
            }
            writer.member("country", race.country)
            writer.member("kind", race.kind.map { race.isWomens ? "women, \($0)" : $0 })
            writer.member("leader_jersey", race.leaderJersey)
            writeJerseys(&writer)
            writer.object("source") { writer in
                writer.member("name", "A.S.O.")
                writer.member("url", parts.edition.liveAddress)
                writer.member("note", RaceEdition.notice)
            }
            writer.array("rest_days", restDays) { $0.item($1) }
            if let overall = overall(stages) { writer.array("overall", overall) { $0.item($1) } }
            writeRoster(&writer)
            writeWithdrawals(&writer, withdrawals)
            writer.array("stages", stages) { writer, stage in
                writer.object { write(stage, &$0) }
            }
        }
        return writer.bytes + [0x0A]
    }

    private var restDays: [String] {
        if let stages = parts.stages.value { return CentreStage.restDays(between: stages) }
        return JSONItems.of(previous.value("rest_days")).prefix(100).compactMap(\.text)
    }

    private func writeJerseys(_ writer: inout JSONWriter) {
        writer.array("jerseys", parts.edition.race.jerseys) { writer, jersey in
            writer.object { writer in
                writer.member("classification", jersey.classification)
                writer.member("name", jersey.name)
                writer.member("color", jersey.color)
            }
        }
    }

    private func writeRoster(_ writer: inout JSONWriter) {
        if let teams = parts.roster.value?.teams, !teams.isEmpty {
            writer.array("teams", teams) { writer, team in
                writer.object { writer in
                    writer.member("name", team.name)
                    writer.member("country", team.country)
                }
            }
        } else if let teams = previous.value("teams") {
            writer.member("teams", raw: teams.raw)
        }
        writer.array("riders", roster.riders) { writer, rider in
            writer.object { writer in
                writer.member("id", rider.key)
                writer.member("name", rider.name)
                writer.member("number", rider.number)
                writer.member("country", rider.country)
                writer.member("team", rider.team)
            }
        }
    }

    /// Returns the names of the first ten of the final standings, once those are official.
    private func overall(_ stages: [RaceFileStage]) -> [String]? {
        guard let last = stages.last, let list = last.lists[.general], last.isOfficial(.general) else {
            return previous.value("overall").map { JSONItems.of($0).prefix(100).compactMap(\.text) }
        }
        return list.prefix(10).compactMap { $0.rider.map(roster.name(ofKey:)) }
    }
}

// MARK: Withdrawals

extension EditionAssembler {
    struct Withdrawal {
        var rider: String
        var stage: Int
        var reason: String?
    }

    /// Returns the withdrawals in the list of riders and in the results, each rider once.
    private mutating func withdrawals(_ stages: Set<Int>) -> [Withdrawal] {
        var found: [String: Withdrawal] = [:]
        if parts.roster.value?.riders.isEmpty ?? true {
            for node in JSONItems.of(previous.value("withdrawals")).prefix(2000) {
                guard let rider = node["rider"]?.text, let stage = node["stage"]?.whole else { continue }
                found[rider] = Withdrawal(rider: rider, stage: stage, reason: node["reason"]?.text)
            }
        }
        for rider in parts.roster.value?.riders ?? [] {
            guard let withdrawal = rider.withdrawal, let key = roster.key(bib: rider.bib, id: rider.id) else {
                continue
            }
            found[key] = Withdrawal(rider: key, stage: withdrawal.stage, reason: withdrawal.reason)
        }
        for (stage, part) in parts.rankings {
            for row in part.value?.out ?? [] {
                guard let reason = CentreWithdrawal.reason(ofCode: row.position),
                    let key = roster.key(bib: row.bib, id: row.rider)
                else { continue }
                // A rider who is out stays in the lists of later stages.
                if let known = found[key], known.stage <= stage { continue }
                found[key] = Withdrawal(rider: key, stage: stage, reason: reason)
            }
        }
        return found.values.filter { stages.contains($0.stage) }.sorted { ($0.stage, $0.rider) < ($1.stage, $1.rider) }
    }

    private func writeWithdrawals(_ writer: inout JSONWriter, _ withdrawals: [Withdrawal]) {
        writer.array("withdrawals", withdrawals) { writer, withdrawal in
            writer.object { writer in
                writer.member("rider", withdrawal.rider)
                writer.member("stage", withdrawal.stage)
                writer.member("reason", withdrawal.reason)
            }
        }
    }
}
