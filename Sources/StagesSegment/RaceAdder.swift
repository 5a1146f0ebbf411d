import Foundation
import RaceCentre
import Races
import TerminalUI

/// Asks for a race: imports a file, or follows an address.
@MainActor
package struct RaceAdder {
    package let services: RaceServices
    /// The view controller that presents the prompt.
    package let presenter: ViewController

    package init(services: RaceServices, presenter: ViewController) {
        self.services = services
        self.presenter = presenter
    }

    package func ask() {
        // Read once, because it comes from files and every key asks for completions.
        let known = services.access.library.knownRaces
        let calendar = services.access.read([]) { try $0.races.calendarNames() }
        presenter.present(
            TextPromptViewController(
                title: "Add race",
                message:
                    "The name of a race such as tour-de-france, an address or exec: with a program to follow, or the path of a race file",
                complete: { text in
                    (known.completions(for: text, limit: 8) + RaceWords.matches(text, in: calendar, limit: 8))
                        .map { ($0, DisplayText($0)) }
                }
            ) { [services] place in
                Task { await RaceAdder.add(place, services) }
            })
    }

    /// Returns the address that a user means by an address or the name of a race, or `nil` for the path of a file.
    ///
    /// - Parameter finished: Receives the edition if it is over.
    private static func address(_ place: String, _ services: RaceServices, _ finished: inout FinishedEdition?) throws
        -> String?
    {
        if KnownRaces.isAddress(place) { return place }
        if place.contains("/") || FileManager.default.fileExists(atPath: place) { return nil }
        let today = services.appearance.dates.today
        let library = services.access.library
        return try library.raceAddresses(of: [place], known: library.knownRaces, today: today) {
            finished = $0
            return false
        }.first
    }

    /// Asks whether to follow the next edition, or the one that is over.
    private static func choose(_ edition: FinishedEdition, _ services: RaceServices) {
        let alert = AlertController(title: "Follow race", message: DisplayText(edition.sentence))
        func action(_ title: String, _ year: Int) -> AlertAction {
            AlertAction(DisplayText("\(title) \(year)")) {
                Task { await add("\(edition.race.id) \(year)", services) }
            }
        }
        alert.actions = [
            AlertAction("Cancel", role: .cancel), action("Follow", edition.year + 1), action("See", edition.year),
        ]
        services.router?.present(alert)
    }

    /// Follows an address or a race by its name, or imports the race in a file.
    ///
    /// - Parameter asks: Whether to ask which edition the user wants if the last one is over.
    package static func add(_ place: String, _ services: RaceServices, asks: Bool = true) async {
        do {
            var finished: FinishedEdition?
            if let address = try address(place, services, &finished) {
                if asks, let finished { return choose(finished, services) }
                services.access.status.show("Reading the race …")
                let followed = try await services.races.read(address)
                let credit = RaceFollowService.credit(of: address).map { " · \($0)" } ?? ""
                services.access.changes.submit(
                    followed.change, message: DisplayText("Following \(followed.words)\(credit)"))
                return await services.races.update(.timer)
            }
            let race = try await Task.detached { try await RaceSource().read(place) }.value
            services.access.changes.submit(
                .storeRace(race, isBundled: false),
                message: DisplayText("Added \(race.race) \(race.year) with \(race.countOfStages)"))
        } catch {
            services.access.status.show(failure: error)
        }
    }
}
