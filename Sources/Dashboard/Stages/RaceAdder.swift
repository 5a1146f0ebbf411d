import ModelCore
import TerminalUI

/// Asks for a race: imports a file, or follows an address.
@MainActor
struct RaceAdder {
    let services: RaceServices
    /// The view controller that presents the prompt.
    let presenter: ViewController

    func ask() {
        presenter.present(
            TextPromptViewController(
                title: "Add race",
                message: "An address to follow, or the path of a race file (JSON, CSV, iCalendar)", text: "~/"
            ) { [services] place in
                services.access.status.show("Reading the race …")
                Task { await RaceAdder.add(place, services) }
            })
    }

    /// Follows an address, or imports the race in a file.
    static func add(_ place: String, _ services: RaceServices) async {
        do {
            if RaceSource.address(place) != nil {
                let document = try await services.races.read(place)
                return services.access.changes.submit(
                    document.change, message: DisplayText("Following \(document.words)"))
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
