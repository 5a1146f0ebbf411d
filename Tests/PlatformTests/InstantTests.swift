import Foundation
import Platform
import Testing

/// Points in time, at the limits of their numbers too.
@Suite struct InstantTests {
    @Test func stopsAtTheLimits() {
        #expect(Instant.distantFuture + 1 == .distantFuture && Instant.distantPast - 1 == .distantPast)
        #expect(Instant.distantFuture - Int64.min == .distantFuture && Instant(-2) + Int64.min == .distantPast)
        #expect(Instant.distantFuture.seconds(since: .distantPast) == .max)
        #expect(Instant.distantPast.seconds(since: .distantFuture) == .min)
        #expect(Instant(UInt64.max) == .distantFuture)
    }

    @Test func countsSecondsBetweenInstants() {
        #expect((Instant(1000) + 60).seconds(since: 1000) == 60 && Instant(1000).seconds(since: 1060) == -60)
        #expect(Instant(999) < Instant(1000) && Instant(1000) - 1 == 999)
    }

    @Test func readsTheSystemsClock() {
        let before = Date().timeIntervalSince1970.rounded(.down)
        let now = Double(Instant.now.seconds)
        #expect(now >= before && now <= Date().timeIntervalSince1970)
    }

    /// Journals and undo steps contain plain numbers.
    @Test func isEncodedAsANumber() throws {
        let text = String(decoding: try JSONEncoder().encode([Instant(1_795_132_800)]), as: UTF8.self)
        #expect(text == "[1795132800]")
        #expect(try JSONDecoder().decode([Instant].self, from: Data(text.utf8)) == [1_795_132_800])
    }
}
