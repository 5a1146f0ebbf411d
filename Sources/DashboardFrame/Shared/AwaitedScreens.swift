/// What further keys wait for (``TerminalUI/Application/awaitsScreen``): screens on their way, and changes of settings and
/// rows from which the next key may continue.
@MainActor
package final class AwaitedScreens {
    /// A screen on its way. It is no longer awaited once it is shown or released, such as by a cancelled read.
    @MainActor
    package final class Ticket {
        fileprivate(set) var isShown = false

        /// Notes that the screen is shown, or that there is none.
        func end() { isShown = true }
    }

    private struct Weak { weak var ticket: Ticket? }
    private var tickets: [Weak] = []

    /// Whether any screen is awaited.
    package var isEmpty: Bool {
        tickets.removeAll { $0.ticket?.isShown != false }
        return tickets.isEmpty
    }

    /// Awaits a screen. Whoever will show it holds the ticket.
    package func add() -> Ticket {
        let ticket = Ticket()
        tickets.append(Weak(ticket: ticket))
        return ticket
    }
}
