import DashboardFrame
import TerminalUI

/// A sheet with a list from Wikidata, which is requested only when the user asks for it.
@MainActor
class WikidataListViewController<Item>: SheetListViewController<Item> {
    let services: RaceServices
    let access: LibraryAccess
    /// The keys of the requests that are under way.
    private(set) var requests: Set<Int> = []
    /// Why the last request failed. The sheet may cover the status line.
    private var problem: String?

    init(services: RaceServices, title: DisplayText, emptyText: DisplayText, width: Int, otherLines: Int = 0) {
        self.services = services
        access = services.access
        super.init(title: title, emptyText: emptyText, width: width, otherLines: otherLines)
    }

    override func viewWillAppear() {
        observation = access.library.observe(.races) { [weak self] in self?.load() }
    }

    /// Returns a title with the error of the last request.
    func titleWithProblem(_ title: String) -> DisplayText {
        DisplayText(problem.map { "\(title) · ! \($0)" } ?? title)
    }

    /// Starts a request, unless one with the same key is under way.
    ///
    /// - Parameter answer: Requests and stores the list, and returns the message for the user.
    func request(_ key: Int, _ answer: @escaping @MainActor () async throws -> String) {
        guard requests.insert(key).inserted else { return }
        problem = nil
        load()
        Task { [weak self, access] in
            do {
                access.status.show(DisplayText(try await answer()))
            } catch {
                access.status.show(failure: error)
                self?.problem = "\(error)"
            }
            self?.requests.remove(key)
            self?.didRequest(key)
        }
    }

    /// Shows the answer to a request.
    func didRequest(_ key: Int) { load() }
}
