import ModelCore
import TerminalUI

/// What a view controller has open or selected, for the commands for places and for the inspector.
@MainActor
package struct ShownPlace {
    /// Its identity, which costs nothing to compare.
    package var subject: AnyHashable
    /// Reads its place, or returns `nil` if it no longer has one.
    package var place: @MainActor () -> Place?
    /// Reads the facts about it.
    package var facts: @MainActor () -> [TextParagraph] = { [] }
    /// Stores the reading position.
    package var keepPlace: @MainActor () -> Void = {}

    package init(
        subject: AnyHashable, place: @escaping @MainActor () -> Place?,
        facts: @escaping @MainActor () -> [TextParagraph] = { [] }, keepPlace: @escaping @MainActor () -> Void = {}
    ) {
        self.subject = subject
        self.place = place
        self.facts = facts
        self.keepPlace = keepPlace
    }
}

/// A view controller that shows a place, or has one selected.
@MainActor
package protocol PlaceShowing: ViewController {
    /// What is open or selected, or `nil` if nothing is.
    var placeShown: ShownPlace? { get }
}

extension ShownPlace {
    /// Returns what the nearest controller around another one shows, beginning with that one.
    package static func nearest(to controller: ViewController?) -> ShownPlace? {
        var controller = controller
        while let present = controller {
            if let showing = present as? any PlaceShowing { return showing.placeShown }
            controller = present.parent
        }
        return nil
    }
}
