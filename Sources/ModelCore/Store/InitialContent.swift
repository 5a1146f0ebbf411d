import GRDB
import LibraryKernel
import Races

extension Library {
    /// The initial content that a new library receives once.
    package enum Beginning: String, Hashable, Sendable {
        /// The bundled races.
        case races = "library.races"
        /// The guide and the starter feeds.
        case feeds = "library.prepared"
    }

    /// Whether the library never received this initial content.
    package func isWithout(_ beginning: Beginning) throws(LibraryError) -> Bool {
        try read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM setting WHERE name = ?", arguments: [beginning.rawValue])
                == 0
        }
    }
}
