/// Something that takes part in answering keys.
///
/// A key goes to the focused view first, then along ``nextResponder`` through the views and controllers around it to the
/// window. At each the raw key is offered to ``handle(_:)`` and then to its ``commands``.
@MainActor
open class Responder {
    /// Makes a responder.
    public init() {}

    /// Who is asked next.
    open var nextResponder: Responder? { nil }

    /// What can be done here, by key, from the help, a menu or a toolbar.
    open var commands: [Command] { [] }

    /// Takes a key before any command does: for text fields and the like.
    ///
    /// - Returns: Whether the key was used.
    open func handle(_ press: KeyPress) -> Bool { false }

    /// Takes pasted text.
    ///
    /// - Returns: Whether the text was used.
    open func handle(paste text: String) -> Bool { false }
}

extension Responder: Equatable {
    /// Whether both are the same object.
    nonisolated public static func == (left: Responder, right: Responder) -> Bool { left === right }
}
