/// What the live page of a stage shows: nothing in it is computed ahead of what was reported.
package struct LiveState: Hashable, Sendable {
    /// How far a report can be trusted by its age.
    package enum Freshness: Hashable, Sendable {
        case fresh
        /// Older than three minutes: shown dim.
        case dim
        /// Older than fifteen minutes: collapsed to a line.
        case folded

        package init(age: Int64) { self = age > 900 ? .folded : age > 180 ? .dim : .fresh }
    }

    /// Something that the page shows, the most trusted first.
    package enum Part: Hashable, Sendable {
        /// The newest message of the ticker.
        case line
        /// The groups, with their age.
        case groups
    }

    /// A group on the road.
    package struct Group: Hashable, Sendable {
        /// The name in the user's language.
        package var name: String
        /// The time behind the first group in seconds.
        package var gap: Int
        /// How much the gap grew in about five minutes, in seconds, or `nil` if unknown.
        package var trend: Int?
        package var kmToGo: Double?
        package var speed: Double?
        package var size: Int?
        package var isBunch: Bool
        package var members: [RaceGroups.Group.Member]
        /// The classifications whose jerseys are worn in this group, with the wearers' numbers.
        package var wearers: [RaceStanding: Int]
    }

    /// The groups, the first first. They are empty in time trials, and when folded they should take one line.
    package private(set) var groups: [Group] = []
    /// The instant of which the groups are, and the offset of local time in seconds.
    package private(set) var at: Instant?
    package private(set) var offset = 0
    /// How fresh the groups are, or `nil` without groups.
    package private(set) var freshness: Freshness?
    /// The newest message of the ticker.
    package private(set) var line: TickerNews?
    /// The kilometres that the head has to go, and the instant of which they are.
    package private(set) var kmToGo: Double?
    package private(set) var kmToGoAt: Instant?
    package private(set) var weather: CentreWeather?
    /// The mean speed in kilometres per hour.
    package private(set) var meanSpeed: Double?
    /// What comes next on the road.
    package private(set) var ahead: RoadAhead?
    /// The instant at which the head is expected at the finish by the timetable.
    package private(set) var expectedFinish: Instant?

    /// The parts in the order of trust.
    package var parts: [Part] { (line == nil ? [] : [.line]) + (groups.isEmpty ? [] : [.groups]) }

    /// What a live state is made of.
    package struct Input: Sendable {
        package var history: GroupHistory
        package var insights: CentreInsights?
        package var ticker: [TickerNews]
        package var roadBook: RoadBook?
        package var wearers: JerseyWearers?
        /// The length of the stage in kilometres.
        package var length: Double?

        package init(
            history: GroupHistory = GroupHistory(), insights: CentreInsights? = nil, ticker: [TickerNews] = [],
            roadBook: RoadBook? = nil, wearers: JerseyWearers? = nil, length: Double? = nil
        ) {
            self.history = history
            self.insights = insights
            self.ticker = ticker
            self.roadBook = roadBook
            self.wearers = wearers
            self.length = length
        }
    }

    /// - Parameters:
    ///   - language: The user's language, such as `en`.
    ///   - now: The current instant; with a delay, the instant that is shown.
    package init(_ input: Input, language: String = "en", now: Instant) {
        line = input.ticker.last { $0.at <= now }
        weather = input.insights?.weather
        meanSpeed = input.insights?.meanSpeed
        if let newest = input.history.newest {
            at = newest.at
            offset = newest.offset
            freshness = Freshness(age: now.seconds(since: newest.at))
            groups = newest.groups.enumerated().map { place, group in
                Group(
                    name: GroupNames.name(group.name, in: language), gap: group.gap,
                    trend: input.history.trend(ofGroup: place), kmToGo: group.kmToGo, speed: group.speed,
                    size: group.size, isBunch: group.isBunch, members: group.members,
                    wearers: LiveState.wearers(of: group, input.wearers))
            }
        }
        setDistance(input, now: now)
        guard let kmToGo, let kmToGoAt, let book = input.roadBook else { return }
        ahead = RoadAhead.find(in: book, kmToGo: kmToGo)
        expectedFinish = book.expectedFinish(kmToGo: kmToGo, at: kmToGoAt)
    }

    /// Takes the distance from the groups, or from the insights if the groups are folded or there are none.
    private mutating func setDistance(_ input: Input, now: Instant) {
        if let km = groups.first?.kmToGo, freshness != .folded {
            (kmToGo, kmToGoAt) = (km, at)
        } else if let km = input.insights?.km, let length = input.length, let passedOn = input.insights?.passedOn,
            Freshness(age: now.seconds(since: passedOn)) != .folded
        {
            (kmToGo, kmToGoAt) = (max(0, length - km), passedOn)
        }
    }

    private static func wearers(of group: RaceGroups.Group, _ jerseys: JerseyWearers?) -> [RaceStanding: Int] {
        guard let jerseys else { return [:] }
        let bibs = Set(group.members.compactMap(\.bib))
        return jerseys.wearers.compactMapValues { $0.bib.flatMap { bibs.contains($0) ? $0 : nil } }
    }

    /// Returns the index of the group in which a rider is, or `nil`.
    package func group(ofBib bib: Int) -> Int? {
        groups.firstIndex { $0.members.contains { $0.bib == bib } }
    }

    /// The local time of the groups, such as `14:23`.
    package var asOf: String? { at.map { String(CentreTime.text($0, offset: offset).dropFirst(11).prefix(5)) } }

    /// The state in a few columns, such as `47 km · B +1:24`: the distance and the bunch's gap. `nil` if nothing recent is known.
    package var brief: String? {
        guard let kmToGo else { return nil }
        let distance = RoadAhead.kilometres(kmToGo) + " km"
        guard freshness != .folded, let bunch = groups.firstIndex(where: \.isBunch), bunch > 0 else { return distance }
        let gap = groups[bunch].gap
        let seconds = gap % 60
        return "\(distance) · B +\(gap / 60):\(seconds < 10 ? "0" : "")\(seconds)"
    }
}
