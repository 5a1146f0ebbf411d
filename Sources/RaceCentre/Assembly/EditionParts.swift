import RaceModel

/// A part of an edition, with the instant at which it came, and the reason if the last attempt to renew it failed.
package struct EditionPart<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The newest value that could be read, or `nil` before the first.
    package fileprivate(set) var value: Value?
    /// The instant of the response that contained the value or confirmed it.
    package fileprivate(set) var receivedAt: Instant?
    /// Why the last attempt failed, or `nil` if it didn't.
    package fileprivate(set) var failure: String?

    package init() {}
}

/// Everything that is known of an edition, each part read and kept independently.
package struct EditionParts: Hashable, Sendable {
    /// What a response changed.
    package enum Change: Hashable, Sendable {
        case changed
        case unchanged
        /// There is nothing yet. What was known stays.
        case empty
        /// The response could not be read. What was known stays.
        case failed(String)
    }

    package let edition: RaceEdition
    package private(set) var stages = EditionPart<[CentreStage]>()
    /// The stages as the library has them, until the race centre's can be read.
    private var storedStages: [CentreStage] = []
    private(set) var roster = EditionPart<CentreRoster>()
    private(set) var roadBooks: [Int: EditionPart<RoadBook>] = [:]
    package private(set) var groups: [Int: EditionPart<RaceGroups>] = [:]
    private(set) var insights: [Int: EditionPart<CentreInsights>] = [:]
    private(set) var tickers: [Int: EditionPart<[TickerNews]>] = [:]
    private(set) var rankings: [Int: EditionPart<StageRankings>] = [:]
    private(set) var jerseys: [Int: EditionPart<JerseyWearers>] = [:]
    /// Whether the lists of riders and of teams were read, instead of those whom other documents mention.
    private(set) var (hasRiderList, hasTeamList) = (false, false)
    /// The languages of the tickers, because messages have other identifiers in each.
    private var languages: [Int: String] = [:]

    package init(edition: RaceEdition) { self.edition = edition }

    /// Creates the parts of an edition that the library has, with the reasons for which parts could not be renewed.
    package init(edition: RaceEdition, stored race: Race?, after plan: RequestPlan) {
        self.edition = edition
        storedStages = (race?.stages ?? []).compactMap(CentreStage.init(stored:))
        for (endpoint, entry) in plan.entries where entry.failures > 0 {
            if let reason = entry.reason { fail(endpoint, reason, receivedAt: entry.succeeded) }
        }
    }

    /// The stages that decide what is requested: the race centre's, or else those of the library.
    package var schedule: [CentreStage] { stages.value ?? storedStages }

    /// Reads a response and adopts what it contains.
    ///
    /// - Parameters:
    ///   - body: The bytes of a response with status 200, or none for status 204.
    ///   - now: The instant of the response.
    @discardableResult
    package mutating func take(_ body: [UInt8], of endpoint: Endpoint, at now: Instant) -> Change {
        let bind = endpoint.bind(in: edition)
        let change = adopt(body, of: endpoint, bind: bind, at: now)
        // Before the list of riders is read, others have those that they mention.
        if change == .changed, !hasRiderList, endpoint.stage != nil {
            if let mentioned = try? roster(body), !mentioned.riders.isEmpty {
                roster.value = roster.value ?? CentreRoster()
                roster.value?.merge(mentioned)
            }
        }
        return change
    }

    private mutating func adopt(_ body: [UInt8], of endpoint: Endpoint, bind: String, at now: Instant) -> Change {
        let number = endpoint.stage ?? 0
        do throws(CentreFailure) {
            switch endpoint {
            case .stages:
                let read = try CentreStage.read(body, bind: bind)
                return stages.adopt(read.isEmpty ? nil : read, at: now)
            case .teams, .competitors:
                var all = roster.value ?? CentreRoster()
                let read = try roster(body)
                all.merge(read)
                if !read.riders.isEmpty { hasRiderList = true }
                if !read.teams.isEmpty { hasTeamList = true }
                return roster.adopt(read.isEmpty ? nil : all, at: now)
            case .checkpoints:
                let read = try RoadBook(body, bind: bind)
                return roadBooks[number, default: .init()].adopt(read.checkpoints.isEmpty ? nil : read, at: now)
            case .groups:
                let read = try RaceGroups.read(body, bind: bind)
                return groups[number, default: .init()].adopt(read.flatMap { newest($0, number) }, at: now)
            case .insights:
                return insights[number, default: .init()].adopt(try CentreInsights.read(body, bind: bind), at: now)
            case .ticker(let language, _):
                let read = try TickerNews.read(body, bind: bind)
                let known = languages[number] == language ? tickers[number]?.value : nil
                let all = TickerNews.merged(read, into: known ?? [])
                if !read.isEmpty { languages[number] = language }
                return tickers[number, default: .init()].adopt(read.isEmpty ? nil : all, at: now)
            case .rankings:
                let read = try StageRankings(body, bind: bind)
                let all = rankings[number]?.value?.merged(with: read) ?? read
                return rankings[number, default: .init()].adopt(read.isEmpty ? nil : all, at: now)
            case .jerseys:
                let read = try JerseyWearers(body, bind: bind)
                return jerseys[number, default: .init()].adopt(read.isEmpty ? nil : read, at: now)
            }
        } catch {
            return fail(endpoint, error.description)
        }
    }

    private func roster(_ body: [UInt8]) throws(CentreFailure) -> CentreRoster {
        try CentreRoster(
            body, riderBind: Endpoint.competitors.bind(in: edition), teamBind: Endpoint.teams.bind(in: edition))
    }

    /// Returns the groups unless newer ones are known: responses may overtake one another.
    private func newest(_ read: RaceGroups, _ stage: Int) -> RaceGroups {
        guard let known = groups[stage]?.value, known.at > read.at else { return read }
        return known
    }

    /// Notes that a part could not be renewed, for example because the request failed. What was known stays.
    @discardableResult
    package mutating func fail(_ endpoint: Endpoint, _ reason: String, receivedAt: Instant? = nil) -> Change {
        let number = endpoint.stage ?? 0
        switch endpoint {
        case .stages: stages.fail(reason, receivedAt)
        case .teams, .competitors: roster.fail(reason, receivedAt)
        case .checkpoints: roadBooks[number, default: .init()].fail(reason, receivedAt)
        case .groups: groups[number, default: .init()].fail(reason, receivedAt)
        case .insights: insights[number, default: .init()].fail(reason, receivedAt)
        case .ticker: tickers[number, default: .init()].fail(reason, receivedAt)
        case .rankings: rankings[number, default: .init()].fail(reason, receivedAt)
        case .jerseys: jerseys[number, default: .init()].fail(reason, receivedAt)
        }
        return .failed(reason)
    }

    /// Returns a document that was read before but isn't known to this program, and without which another that was read
    /// now is not complete: teams for riders, and standings and road book for each other.
    package func partner(of endpoint: Endpoint) -> Endpoint? {
        switch endpoint {
        case .competitors where !hasTeamList: .teams
        case .checkpoints(let stage) where rankings[stage]?.value == nil: .rankings(stage: stage)
        case .rankings(let stage) where roadBooks[stage]?.value == nil: .checkpoints(stage: stage)
        default: nil
        }
    }
}

extension EditionPart {
    fileprivate mutating func fail(_ reason: String, _ received: Instant?) {
        failure = reason
        receivedAt = receivedAt ?? received
    }

    /// Adopts a value, or notes that there is none yet.
    fileprivate mutating func adopt(_ new: Value?, at now: Instant) -> EditionParts.Change {
        failure = nil
        guard let new else { return .empty }
        receivedAt = now
        guard new != value else { return .unchanged }
        value = new
        return .changed
    }
}
