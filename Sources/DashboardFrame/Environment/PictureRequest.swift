import Pictures

/// A picture that the dashboard requests from the program.
package enum PictureRequest: Hashable, Sendable {
    /// A bundled picture.
    case bundled(race: String, stage: Int)
    /// A picture at a web address. Only the host that linked to it may be private.
    case address(String, ownHost: String?)
    /// A smaller version of the same picture, for use in a text.
    case thumbnail(String, ownHost: String?)
}

/// The reason why a picture is unavailable.
package struct PictureProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
