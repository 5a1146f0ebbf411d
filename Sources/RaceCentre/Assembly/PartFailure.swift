import Platform

/// A part of an edition that could not be renewed.
struct PartFailure: Hashable, Sendable {
    var endpoint: Endpoint
    var reason: String
    /// The instant at which the part was last received, or `nil` if it never was.
    var receivedAt: Instant?

    /// Returns a sentence such as "ticker of stage 18 as of 2026-07-23 15:28: 500 Internal Server Error".
    ///
    /// - Parameter offset: The offset of the time zone from UTC in seconds.
    func words(offset: Int) -> String {
        let age = receivedAt.map { " as of " + CentreTime.minute($0, offset: offset) } ?? ""
        return "\(endpoint.title)\(age): \(reason)"
    }
}

extension EditionParts {
    /// The parts whose last attempt failed: those of the whole edition, then those of stages, the latest first.
    var failures: [PartFailure] {
        func failure<Value>(_ part: EditionPart<Value>?, _ endpoint: Endpoint) -> PartFailure? {
            guard let part, let reason = part.failure else { return nil }
            return PartFailure(endpoint: endpoint, reason: reason, receivedAt: part.receivedAt)
        }
        let numbers = Set(groups.keys).union(tickers.keys).union(insights.keys).union(rankings.keys)
            .union(jerseys.keys).union(roadBooks.keys)
        let ofStages = numbers.sorted(by: >).flatMap { number in
            [
                failure(groups[number], .groups(stage: number)),
                failure(tickers[number], .ticker(language: RequestWish.language, stage: number)),
                failure(insights[number], .insights(stage: number)),
                failure(rankings[number], .rankings(stage: number)),
                failure(jerseys[number], .jerseys(stage: number)),
                failure(roadBooks[number], .checkpoints(stage: number)),
            ]
        }
        return ([failure(stages, .stages), failure(roster, .competitors)] + ofStages).compactMap { $0 }
    }

    /// Returns a sentence about the first part that is missing, or could not be renewed twice in a row, with the instant
    /// at which it was last received, or `nil` if there is none.
    package func failureWords(after plan: RequestPlan) -> String? {
        let all = failures(after: plan)
        return all.first.map { $0 + (all.count > 1 ? " (and \(all.count - 1) more)" : "") }
    }

    /// Returns a sentence about each part that is missing, or could not be renewed twice in a row.
    package func failures(after plan: RequestPlan) -> [String] {
        let offset = schedule.first?.offset ?? plan.offset
        return failures.filter { failure in
            let count = plan.failures(of: failure.endpoint)
            let all = failure.endpoint == .competitors ? max(count, plan.failures(of: .teams)) : count
            return all > (failure.receivedAt == nil ? 0 : 1)
        }.map { $0.words(offset: offset) }
    }
}
