import CommonTesting
@testable import Feeds
import Foundation

/// Something that happens in a simulated world.
///
/// Numbers are taken modulo what exists, so that any part of a list of events is a list of events.
enum WorldEvent: Codable, Equatable {
    enum Behaviour: String, Codable, CaseIterable {
        case fine, missing, gone, broken, busy, away, silent, half, movedForNow, movedForGood, newTag
        case slow, stalled, page, nothing, refused
    }

    enum AccountFault: String, Codable, CaseIterable {
        case lostRequest, lostAnswer, unavailable, halfAnswer, emptyArray, page
    }

    /// The first event: the minutes between runs of a timer, or 0, and what there is.
    case begin(timer: Int, hasAccount: Bool, hasRace: Bool, isQuietAtNight: Bool)
    case pass(minutes: Int)
    // Servers.
    case publish(site: Int, count: Int)
    case rewrite(site: Int)
    case renameIdentifiers(site: Int)
    case behave(site: Int, as: Behaviour)
    case behavePages(site: Int, as: Behaviour)
    case setFreshness(site: Int, minutes: Int)
    // Programs.
    case openPane
    case closePane(Int)
    case killPane(Int)
    case suspendPane(Int, minutes: Int)
    /// The pane is suspended or killed while it waits for its next answer.
    case interruptTransfer(pane: Int, minutes: Int, kills: Bool)
    case reloadByUser(pane: Int)
    case reloadFeed(pane: Int, site: Int)
    /// The pane closes while its last mark can't be stored.
    case leaveWithPendingMark(pane: Int, entry: Int)
    // The user.
    case mark(pane: Int, entry: Int, EntryMark, Bool)
    case markFeed(pane: Int, site: Int)
    case undo(pane: Int)
    case add(site: Int)
    case delete(site: Int)
    // The computer.
    case jump(seconds: Int64)
    case setClock
    case fillDisk
    case emptyDisk
    case changeZone(Int)
    // Recordings.
    case queueRecording(pane: Int, site: Int, number: Int)
    case retryRecordings(pane: Int)
    case replaceRecording(site: Int, number: Int)
    case behaveRecordings(site: Int, as: Behaviour)
    // The race.
    case behaveCentre(as: Behaviour)
    case look(pane: Int, audience: Int)
    case updateRace(pane: Int)
    case delayRace(pane: Int, seconds: Int)
    case hideResults(pane: Int, Bool)
    case revealStage(pane: Int, stage: Int)
    // The account.
    case publishToAccount(count: Int)
    case markElsewhere(entry: Int, EntryMark, Bool)
    case syncElsewhere
    case syncByUser
    case failAccount(AccountFault, request: Int)

    /// Whether it may change the library.
    var concernsLibrary: Bool {
        switch self {
        case .begin, .publish, .rewrite, .renameIdentifiers, .behave, .behavePages, .setFreshness, .openPane,
            .suspendPane,
            .interruptTransfer, .fillDisk, .emptyDisk, .publishToAccount, .failAccount, .jump, .setClock, .changeZone,
            .replaceRecording, .behaveRecordings, .behaveCentre, .look:
            false
        default: true
        }
    }

    /// Returns the events of some weeks.
    static func list(seed: UInt64, weeks: Int) -> [WorldEvent] {
        var generator = SeededGenerator(seed: seed)
        var events: [WorldEvent] = [
            .begin(
                timer: [0, 30, 360, 0][Int(seed % 4)], hasAccount: seed % 5 == 0, hasRace: seed % 5 == 1,
                isQuietAtNight: seed % 7 == 2), .openPane,
        ]
        for site in 0..<4 { events.append(.add(site: site)) }
        var minutes = 0
        while minutes < weeks * 7 * 24 * 60 {
            for _ in 0..<Int.random(in: 1...3, using: &generator) { events.append(random(using: &generator)) }
            if Int.random(in: 0...3, using: &generator) == 0 {
                events.append(seed % 5 == 1 ? ofRace(using: &generator) : ofRecordings(using: &generator))
            }
            let pause = Int(clamping: pow(600, Double.random(in: 0...1, using: &generator)))
            minutes += pause
            events.append(.pass(minutes: pause))
        }
        return events
    }

    private static func random(using generator: inout SeededGenerator) -> WorldEvent {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        func chance() -> Bool { Bool.random(using: &generator) }
        let (site, pane, entry) = (number(0...5), number(0...2), number(0...999))
        switch number(0...99) {
        case 0..<22: return .publish(site: site, count: number(1...4))
        case 22..<24: return .rewrite(site: site)
        case 24: return .renameIdentifiers(site: site)
        case 25..<36: return .behave(site: site, as: Behaviour.allCases[number(0...Behaviour.allCases.count - 1)])
        case 36: return .behave(site: site, as: .fine)
        case 37: return .behavePages(site: site, as: [.fine, .missing, .busy, .silent, .broken][number(0...4)])
        case 38..<41: return .setFreshness(site: site, minutes: [0, 0, 5, 90, 720, 3000][number(0...5)])
        case 41..<44: return .openPane
        case 44: return .closePane(pane)
        case 45: return .killPane(pane)
        case 46: return .suspendPane(pane, minutes: number(1...400))
        case 47..<50, 54..<57: return .interruptTransfer(pane: pane, minutes: number(1...30), kills: chance())
        case 50..<52: return .reloadByUser(pane: pane)
        case 52: return .reloadFeed(pane: pane, site: site)
        case 53: return .leaveWithPendingMark(pane: pane, entry: entry)
        case 57..<71:
            return .mark(pane: pane, entry: entry, EntryMark.allCases[number(0...2)], number(0...3) > 0)
        case 71: return .behavePages(site: [1, 4][number(0...1)], as: [.fine, .busy][number(0...1)])
        case 72: return .markFeed(pane: pane, site: site)
        case 73..<77: return .undo(pane: pane)
        case 77: return .add(site: site)
        case 78: return chance() ? .delete(site: site) : .add(site: site)
        case 79: return .jump(seconds: jumps[number(0...jumps.count - 1)])
        case 80: return .setClock
        case 81: return .changeZone(number(0...3))
        case 82: return .fillDisk
        case 83..<86: return .emptyDisk
        case 86..<90: return .publishToAccount(count: number(1...3))
        case 90..<94: return .markElsewhere(entry: entry, [.read, .starred][number(0...1)], chance())
        case 94..<96: return .syncElsewhere
        case 96..<98: return .syncByUser
        default:
            return .failAccount(
                AccountFault.allCases[number(0...AccountFault.allCases.count - 1)], request: number(1...8))
        }
    }

    private static func ofRecordings(using generator: inout SeededGenerator) -> WorldEvent {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        let (site, pane, recording) = (number(0...2), number(0...2), number(0...5))
        switch number(0...9) {
        case 0..<4: return .queueRecording(pane: pane, site: site, number: recording)
        case 4..<6: return .retryRecordings(pane: pane)
        case 6: return .replaceRecording(site: site, number: recording)
        case 7: return .behaveRecordings(site: site, as: .fine)
        default: return .behaveRecordings(site: site, as: Behaviour.allCases[number(0...Behaviour.allCases.count - 1)])
        }
    }

    private static func ofRace(using generator: inout SeededGenerator) -> WorldEvent {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
        let pane = number(0...2)
        switch number(0...11) {
        case 0..<3:
            let behaviours: [Behaviour] = [.refused, .busy, .away, .half, .slow, .stalled, .missing, .broken, .nothing]
            return .behaveCentre(as: behaviours[number(0...behaviours.count - 1)])
        case 3..<6: return .behaveCentre(as: .fine)
        case 6: return .look(pane: pane, audience: number(0...3))
        case 7: return .look(pane: pane, audience: 2)
        case 8: return .updateRace(pane: pane)
        case 9: return .delayRace(pane: pane, seconds: [0, 60, 300][number(0...2)])
        case 10: return .hideResults(pane: pane, number(0...1) == 0)
        default: return .revealStage(pane: pane, stage: number(1...3))
        }
    }

    private static let jumps: [Int64] = [
        -5, 40, 200, -200, 3600, -3600, 86_400, -86_400, 10 * 86_400, -10 * 86_400, 400 * 86_400, -400 * 86_400,
    ]
}
