import ModelCore
import TerminalUI

extension LibraryAccess {
    /// The places of the segments in the bar.
    package var segmentPlaces: PlaceList {
        PlaceList(settings[.segments]) ?? PlaceList(SegmentName.allCases.map { .segment($0) })
    }

    /// Stores the places of the segments.
    package func setSegments(_ list: PlaceList) { set(list.text, for: SettingKey<String>.segments.name) }
}
