import Accounts
import DashboardFrame
import Feeds
import FeedsSegment
import ModelCore
import SettingsSegment
import StagesSegment
import TerminalUI

/// All services of the dashboard, made once. A segment passes to its screens those that they use.
@MainActor
final class DashboardServices {
    let access: LibraryAccess
    let appearance: Appearance
    let keys: UserKeys
    let entries: EntryServices
    let feeds: FeedServices
    let races: RaceServices
    let settings: SettingServices
    let index: IndexController
    let arrivals: ArrivalController
    let paneFocus = PaneFocus()

    init(_ environment: DashboardEnvironment, router: any DashboardRouter) {
        let (library, settings, clock) = (environment.library, environment.settings, environment.time.clock)
        let keys = UserKeys(environment.configuration.keyMap, settings)
        let status = StatusController(
            messageTime: environment.time.messageTime, label: { keys.label(for: $0) }, log: environment.log)
        self.keys = keys
        access = LibraryAccess(
            library: library, settings: settings, status: status, clock: clock,
            patience: environment.time.readingPatience, router: router)
        appearance = Appearance(
            settings: settings, clock: clock, themes: environment.configuration.themes,
            keepTheme: environment.writer.keepTheme)
        index = IndexController(library: library, pause: environment.time.second * 3) {
            status.persistent[.library] = DisplayText($0.description)
        }
        arrivals = ArrivalController(
            library: library, status: status, paneFocus: paneFocus, run: environment.programs.runOnArrival,
            notify: environment.programs.notify)
        entries = DashboardServices.entries(access, appearance, paneFocus, environment, router)
        races = DashboardServices.races(access, appearance, paneFocus, environment, router)
        let maintenance = EntryMaintenance(access: access, arrivals: arrivals, index: index, router: router)
        feeds = DashboardServices.feeds(entries, races.races, maintenance, environment)
        self.settings = SettingServices(
            access: access, appearance: appearance, keys: keys, keptPictures: environment.pictures.cache,
            about: environment.about, subscriptions: SubscriptionScreens(feeds, races))
    }

    private static func entries(
        _ access: LibraryAccess, _ appearance: Appearance, _ paneFocus: PaneFocus, _ environment: DashboardEnvironment,
        _ router: any DashboardRouter
    ) -> EntryServices {
        let pictures = PictureStore(
            load: environment.pictures.load, remembered: environment.pictures.hint,
            remember: environment.pictures.keepHint)
        return EntryServices(
            access: access, appearance: appearance,
            web: WebServices(status: access.status, pictures: pictures, openLink: environment.programs.openLink),
            enclosures: EnclosureServices(access: access, play: environment.programs.play), paneFocus: paneFocus,
            rules: RuleServices(
                access: access, appearance: appearance, keepRule: environment.writer.keepRule, router: router),
            userCommands: environment.configuration.entryCommands, pipe: environment.programs.pipe, router: router)
    }

    private static func races(
        _ access: LibraryAccess, _ appearance: Appearance, _ paneFocus: PaneFocus, _ environment: DashboardEnvironment,
        _ router: any DashboardRouter
    ) -> RaceServices {
        let races = RaceController(
            library: access.library, settings: access.settings, status: access.status, paneFocus: paneFocus,
            clock: access.clock, notify: environment.programs.notify,
            isPaneShown: environment.programs.isPaneShown, router: router)
        return RaceServices(
            access: access, appearance: appearance, races: races, pictures: environment.pictures,
            replay: environment.replay, router: router)
    }

    private static func feeds(
        _ entries: EntryServices, _ races: RaceController, _ maintenance: EntryMaintenance,
        _ environment: DashboardEnvironment
    ) -> FeedServices {
        let access = entries.access
        let reloads = ReloadController(
            service: environment.reloadService, status: access.status, offerUndo: access.changes.offerUndo,
            didFinish: maintenance.begin)
        let syncs = SyncController(
            service: SyncService(library: access.library, clock: access.clock), library: access.library,
            status: access.status, clock: access.clock, second: environment.time.second, didFinish: maintenance.begin)
        return FeedServices(entries: entries, reloads: reloads, syncs: syncs) { reason in
            maintenance.isOfUser = true
            await races.update(reason)
        }
    }

    func accept(_ configuration: DashboardConfiguration, rules: [Rule]) {
        keys.configured = configuration.keyMap
        entries.userCommands = configuration.entryCommands
        access.library.rules = rules
        appearance.accept(themes: configuration.themes)
        if let notice = configuration.notice { access.status.show(failure: notice) }
        access.status.persistent[.configuration] = configuration.problem
    }
}

extension SubscriptionScreens {
    fileprivate init(_ feeds: FeedServices, _ races: RaceServices) {
        self.init(
            makeList: { FeedListViewController(services: feeds) },
            askForAccount: { presenter in
                AccountActions(access: feeds.access, syncs: feeds.syncs, presenter: presenter).askToAdd()
            },
            askForRace: { presenter in RaceAdder(services: races, presenter: presenter).ask() })
    }
}
