import Feeds
import LibraryKernel
import ModelCore

/// Checks that a query is either rejected with a message or can be searched.
@MainActor
func search(_ text: String) throws {
    guard let query = try? SearchQuery(text) else { return }
    do {
        _ = try emptyLibrary.get().search.hits(
            for: query, byRelevance: text.utf8.count.isMultiple(of: 2), limit: 10)
    } catch {
        throw FuzzFailure("the search for an accepted query fails: \(error)")
    }
}

/// An empty library, which all inputs share.
@MainActor let emptyLibrary = Result { try Library(path: nil) }
