import Foundation
import Platform
import Testing

@testable import ModelCore

/// Hours without automatic activity.
@Suite struct QuietHoursTests {
    @Test func quietHoursSpanMidnight() {
        setenv("TZ", "UTC", 1)
        tzset()
        /// Friday 20 November 2026 at this hour and minute, UTC.
        func at(_ hour: Int64, _ minute: Int64 = 0) -> Instant { 1_795_132_800 + hour * 3600 + minute * 60 }
        let night = QuietHours("22:30-6:45")
        #expect([at(22, 30), at(23), at(0), at(6, 44)].allSatisfy { night?.contain($0) == true })
        #expect([at(6, 45), at(12), at(22, 29)].allSatisfy { night?.contain($0) == false })
        #expect(QuietHours("9-17")?.contain(at(9)) == true && QuietHours("9-17")?.contain(at(17)) == false)
        for wrong in ["", "22", "22-", "-7", "25-7", "22:60-7", "a-b", "1-2-3", "24:01-3", "none"] {
            #expect(QuietHours(wrong) == nil, "\(wrong)")
        }
    }
}
