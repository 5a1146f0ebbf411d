import ModelCore
import TerminalUI

/// What a view controller has open or selected, for the commands for places and for the inspector.
@MainActor
struct ShownPlace {
    /// Its identity, which costs nothing to compare.
    var subject: AnyHashable
    /// Reads its place, or returns `nil` if it no longer has one.
    var place: @MainActor () -> Place?
    /// Reads the facts about it.
    var facts: @MainActor () -> [TextParagraph] = { [] }
    /// Stores the reading position.
    var keepPlace: @MainActor () -> Void = {}
}

/// A view controller that shows a place, or has one selected.
@MainActor
protocol PlaceShowing: ViewController {
    /// What is open or selected, or `nil` if nothing is.
    var shown: ShownPlace? { get }
}

extension ViewController {
    /// What the nearest controller around this one shows.
    var nearestShownPlace: ShownPlace? {
        var controller: ViewController? = self
        while let present = controller {
            if let showing = present as? any PlaceShowing { return showing.shown }
            controller = present.parent
        }
        return nil
    }
}
