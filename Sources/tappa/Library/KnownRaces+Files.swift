import Foundation
import LibraryKernel
import RaceCentre

extension KnownRaces {
    /// Reads tappa's own catalogue and that of the user.
    static func readFiles() -> KnownRaces {
        func read(_ path: String) -> [UInt8]? { PrivateFile.contents(path).map { [UInt8]($0) } }
        let own = FileLocations.assets.flatMap { read($0.appendingPathComponent("known-races.json").path) }
        return KnownRaces(bundled: own ?? [], user: read(FileLocations.raceCatalogue))
    }
}
