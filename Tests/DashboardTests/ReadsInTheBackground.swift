import CommonTesting
import Dispatch
import Feeds
import Foundation
import ModelCore
import Synchronization
import TerminalUI
import TerminalUITesting
import Testing

@testable import Dashboard
@testable import DashboardFrame
@testable import FeedsSegment
@testable import LibraryKernel

/// Lists are read in the background, and keys are answered meanwhile.
@MainActor
@Suite struct ReadsInTheBackground {
    /// A dashboard that never waits for a background read.
    private func dashboard() async throws -> DashboardScreen {
        let dashboard = try await DashboardScreen(120, 39, adjust: { $0.time.readingPatience = .zero })
        #expect(await dashboard.screen.wait(for: "Mail app style"), "\(dashboard.screen.text)")
        return dashboard
    }

    /// As long as the library isn't read, a search shows that it is under way, and every other key works.
    @Test func FEE_39_answersKeysWhileListsAreRead() async throws {
        let dashboard = try await dashboard()
        let screen = dashboard.screen
        BackgroundRead.queue.suspend()
        var isSuspended = true
        defer { if isSuspended { BackgroundRead.queue.resume() } }
        dashboard.feedList?.show(try SearchQuery("mail"), named: "Mail")
        screen.application.render()
        #expect(screen.text.contains("Reading …"), "\(screen.text)")
        #expect(screen.press("?", shows: "Keys"), "\(screen.text)")
        screen.press("esc", "tab")
        #expect(!screen.text.contains("Reading …"), "\(screen.text)")
        #expect(screen.press("backtab", shows: "Reading …"), "\(screen.text)")
        BackgroundRead.queue.resume()
        isSuspended = false
        #expect(
            await screen.wait { !screen.text.contains("Reading …") && screen.text.contains("Mail app style") },
            "\(screen.text)")
    }

    /// The beginning of a list appears before its end was read, and is replaced only by a whole list.
    @Test func FEE_39_showsAListAsItIsRead() async throws {
        let dashboard = try await dashboard()
        let ids = try dashboard.library.entries.list(EntryQuery(.all))
        let gate = DispatchSemaphore(value: 0)
        let window = EntryWindow(scope: .all, access: dashboard.services.access) { _, _, part in
            part([ids[0]])
            gate.wait()
            return ids
        }
        window.reload()
        #expect(window.count <= 1 && !window.isComplete)
        #expect(await eventually { window.count == 1 })
        #expect(window.row(at: 0)?.id == ids[0] && window.row(at: 1) == nil && !window.isComplete)
        gate.signal()
        #expect(await eventually { window.isComplete })
        #expect(window.count == ids.count && window.row(at: 1)?.id == ids[1])
        window.reload()
        for _ in 0..<50 { try await Task.sleep(for: .milliseconds(1)) }
        #expect(window.count == ids.count)
        gate.signal()
    }

    /// An entry that isn't in the list yet is selected and opened when it is, and so is the next unread one.
    @Test func FEE_39_opensWhatWasAskedForOnceItIsThere() async throws {
        let dashboard = try await dashboard()
        let ids = try dashboard.library.entries.list(EntryQuery(.all))
        let last = try #require(ids.last)
        let services = try #require(dashboard.feedList?.services)
        BackgroundRead.queue.suspend()
        var isSuspended = true
        defer { if isSuspended { BackgroundRead.queue.resume() } }
        let list = EntryListViewController(scope: .all, title: "All", services: services)
        let split = SplitViewController(primary: list, placeholder: MessageViewController("No entry selected."))
        let screen = TestScreen(root: split, size: Size(width: 120, height: 30))
        var shown: EntryID? { (split.detailViewController as? EntryViewController)?.entryID }
        list.openEntry(last)
        #expect(list.selectedEntryID == nil && shown == nil)
        BackgroundRead.queue.resume()
        isSuspended = false
        #expect(
            await screen.wait { shown == last && list.selectedEntryID == last },
            "\(last), \(shown as Any), \(list.selectedEntryID as Any)\n\(screen.text)")
        list.openUnread(1)
        #expect(await screen.wait { shown == ids[0] && list.selectedEntryID == ids[0] })
    }

    private final class Reads: Sendable {
        let count = Atomic(0)
        var number: Int { count.load(ordering: .sequentiallyConsistent) }
        func add() { count.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    }

    /// After an expensive read the next one waits, however often the library changes.
    @Test func FEE_40_pausesBetweenExpensiveReads() async throws {
        let dashboard = try await dashboard()
        let reads = Reads()
        var values = 0
        let reading = RepeatedRead<Int>(access: dashboard.services.access) {
            { _, _ in
                reads.add()
                // 10 ms of processor time.
                var (start, now) = (timespec(), timespec())
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
                repeat {
                    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
                } while (now.tv_sec - start.tv_sec) * 1_000_000_000 + now.tv_nsec - start.tv_nsec < 10_000_000
                return reads.number
            }
        } then: { _, _ in
            values += 1
        }
        reading.start()
        #expect(await eventually { values == 1 })
        for _ in 0..<5 { reading.start() }
        // The next one waits at least 200 ms from the end of the first.
        #expect(reading.isReading)
        #expect(await eventually { values == 2 })
        #expect(reads.number == 2 && !reading.isReading)
    }

    /// Changes during a read lead to one more.
    @Test func FEE_40_readsOnceForSeveralChanges() async throws {
        let dashboard = try await dashboard()
        let reads = Reads()
        let gate = DispatchSemaphore(value: 0)
        var values: [Int] = []
        let reading = RepeatedRead<Int>(access: dashboard.services.access) {
            { _, _ in
                reads.add()
                gate.wait()
                return reads.number
            }
        } then: { value, _ in
            values.append(value)
        }
        for _ in 0..<4 { reading.start() }
        #expect(await eventually { reads.number == 1 })
        gate.signal()
        #expect(await eventually { reads.number == 2 })
        gate.signal()
        #expect(await eventually { values == [1, 2] && !reading.isReading })
        #expect(reads.number == 2)
    }

    /// What is wanted instead is read at once, and the value of the read before isn't used.
    @Test func readsSomethingElseAtOnce() async throws {
        let dashboard = try await dashboard()
        let reads = Reads()
        let gate = DispatchSemaphore(value: 0)
        var values: [Int] = []
        let reading = RepeatedRead<Int>(access: dashboard.services.access) {
            { _, _ in
                reads.add()
                let number = reads.number
                gate.wait()
                return number
            }
        } then: { value, _ in
            values.append(value)
        }
        reading.start()
        #expect(await eventually { reads.number == 1 })
        reading.restart()
        #expect(await eventually { reads.number == 2 })
        gate.signal()
        gate.signal()
        #expect(await eventually { !reading.isReading })
        #expect(values == [2])
    }
}
