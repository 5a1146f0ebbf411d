/// What a command is, said once in a program: keys, bars, help, palette, menus and documents are made from it.
///
/// What it does stands in a ``Command``, where a responder offers it.
public struct CommandDefinition: Hashable, Sendable {
    /// The name by which keys can be bound to it, such as `entry.open`.
    public let name: String
    /// What it does, in a word or two; a command may say it more exactly for what it acts on.
    public let title: DisplayText
    /// The keys that it has unless its user binds others; the first is shown.
    public let keys: [KeySequence]
    /// What one wants to do with it: the help lists those of a group together.
    public let group: DisplayText
    /// Where it works, as one says it: "lists", "entries".
    public let place: DisplayText
    /// What has to be there for it, as the end of "This needs …".
    public let need: DisplayText?
    /// How it is taken part in.
    public let traits: Traits

    /// What holds for a command wherever it is offered.
    public struct Traits: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Makes a set from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The help and the palette pass over it: keys that everybody tries.
        public static let unlisted = Traits(rawValue: 1)
        /// The detail of a split view offers it to the list beside it too, for a key that the list has no use for.
        public static let worksFromList = Traits(rawValue: 2)
        /// It acts on all marked rows.
        public static let takesMarkedRows = Traits(rawValue: 4)
        /// It can be taken back.
        public static let isUndoable = Traits(rawValue: 8)
        /// While it cannot be done, its key is there for what lies around it, as `n` is while nothing is looked for.
        public static let givesWay = Traits(rawValue: 16)
    }

    /// Whether documents list it: of several that differ in a number, as segments do, the first stands for all.
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
}
