import Pictures

/// A picture that the dashboard asks the program around it for.
package enum PictureRequest: Hashable, Sendable {
    /// One that comes with the program.
    case bundled(race: String, stage: Int)
    /// One at an http or https address; only the host that named it may be a private one.
    case address(String, ownHost: String?)
    /// The same in fewer pixels, for a place in a text.
    case thumbnail(String, ownHost: String?)
}

/// Why there is no picture, in plain words.
package struct PictureProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
