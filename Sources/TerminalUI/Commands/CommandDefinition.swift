/// The definition of a command, from which keys, bars, help, palette, menus and documents are made.
///
/// A ``Command`` adds the action where a responder offers it.
public struct CommandDefinition: Hashable, Sendable {
    /// The identifier to which keys can be bound, such as `entry.open`.
    public let name: String
    /// The title. A command may have a more precise one in its context.
    public let title: DisplayText
    /// The default keys. Hints show the first.
    public let keys: [KeySequence]
    /// The group of related commands in the help.
    public let group: DisplayText
    /// Where the command works, in words such as "lists" or "entries".
    public let place: DisplayText
    /// What the command needs, to complete "This needs …".
    public let need: DisplayText?
    /// The traits.
    public let traits: Traits
    /// Other words for what the command does, by which help and palette find it.
    public private(set) var synonyms = ""

    /// Properties of a command wherever it is offered.
    public struct Traits: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: Int

        /// Creates a set from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Help and palette omit it, because everybody tries its keys.
        public static let unlisted = Traits(rawValue: 1)
        /// The detail of a split view also offers it to the list beside it, for keys that the list doesn't use.
        public static let worksFromList = Traits(rawValue: 2)
        /// It applies to all marked rows.
        public static let actsOnMarkedRows = Traits(rawValue: 4)
        /// It can be undone.
        public static let isUndoable = Traits(rawValue: 8)
        /// When disabled, its key falls through to outer responders, such as `n` without a search.
        public static let givesWay = Traits(rawValue: 16)
        /// It leads away from the screen or works on no part of it, so its keys don't wait for the screen's content.
        public static let needsNoContent = Traits(rawValue: 64)
        /// It belongs to a kind of view instead of a program. The help lists its group last.
        package static let isGeneral = Traits(rawValue: 32)
    }

    /// Whether documents list it. Of several commands that differ only in a number, the first stands for all.
    public var isFirstOfItsKind: Bool {
        !traits.contains(.unlisted) && (name.last == "1" || name.last?.isNumber != true)
    }

    /// Defines a command.
    public init(
        _ name: String, _ title: DisplayText, keys: [KeySequence], group: DisplayText = "Here",
        place: DisplayText = .empty, needs need: DisplayText? = nil, _ traits: Traits = []
    ) {
        self.name = name
        self.title = title
        self.keys = keys
        self.group = group
        self.place = place
        self.need = need
        self.traits = traits
    }

    /// Returns the command with other words by which help and palette find it.
    public func found(by synonyms: String) -> CommandDefinition {
        var definition = self
        definition.synonyms = synonyms
        return definition
    }
}
