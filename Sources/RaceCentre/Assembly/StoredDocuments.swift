import RaceModel

extension Race {
    /// Whether the race has something that comes from a document.
    ///
    /// Of a race under way, documents that change within a minute always count as stored.
    func hasContent(of endpoint: Endpoint) -> Bool {
        let stage = endpoint.stage.flatMap { number in stages.first { $0.number == number } }
        switch endpoint {
        case .stages: return !stages.isEmpty
        case .teams: return teams?.isEmpty == false
        case .competitors: return riders?.contains { $0.name != EditionRoster.name(ofUnknown: $0.key) } ?? false
        case .groups, .insights: return true
        case .checkpoints:
            return stage?.climbs != nil || stage?.sprints != nil || stage?.way != nil || stage?.finishPlace != nil
        case .rankings(let number):
            let hasList = Classification.allCases.contains { stage?[keyPath: $0.path] != nil }
            return hasList || stage?.splits != nil || stage?.isRunning == true
                || withdrawals?.contains { $0.stage == number } ?? false
        case .ticker: return stage?.ticker != nil
        case .jerseys: return stage?.wearers != nil
        }
    }
}

/// What a plan says, compared with what the library has.
extension RequestPlan {
    /// Notes whether a race has something of a document that was read.
    package mutating func note(_ race: Race, has endpoint: Endpoint) {
        note(isStored: race.hasContent(of: endpoint), of: endpoint)
    }

    /// Forgets the documents that were read, but of which the race has nothing.
    package mutating func forgetWhatIsMissing(in race: Race?) {
        for endpoint in entries.keys where claims(endpoint) && race?.hasContent(of: endpoint) != true {
            forget(endpoint)
        }
    }

    /// Forgets the document without which another that was read now is not complete.
    package mutating func forgetPartner(of endpoint: Endpoint, in parts: EditionParts) {
        if let partner = parts.partner(of: endpoint), claims(partner) { forget(partner) }
    }
}
