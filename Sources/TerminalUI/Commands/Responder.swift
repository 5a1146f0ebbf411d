/// An object that can handle keys.
///
/// A key goes to the focused view first, then along ``nextResponder`` through the views and controllers around it to
/// the window. Each responder receives the raw key in ``handle(_:)``, and then its ``commands`` are searched.
@MainActor
open class Responder {
    /// Creates a responder.
    public init() {}

    /// The next responder in the chain.
    open var nextResponder: Responder? { nil }

    /// The commands available here, by key, help, menu or toolbar.
    open var commands: [Command] { [] }

    /// Handles a key before any command, as text fields do.
    ///
    /// - Returns: Whether the key was handled.
    open func handle(_ press: KeyPress) -> Bool { false }

    /// Handles pasted text.
    ///
    /// - Returns: Whether the text was handled.
    open func handle(paste text: String) -> Bool { false }
}

extension Responder: Equatable {
    /// Whether both are the same object.
    nonisolated public static func == (left: Responder, right: Responder) -> Bool { left === right }
}
