import DashboardFrame
import Feeds
import LibraryKernel
import ModelCore
import Pictures
import RaceModel
import Races
import TerminalUI

/// A stage on several pages: picture and facts, map, profile, standings and related news (rows STA-02 to STA-06).
@MainActor
final class StageDetailViewController: ViewController, RowDetail {
    enum Page: String {
        case live = "Live", facts = "Facts", picture = "Picture", map = "Map", profile = "Profile"
        case standings = "Standings", related = "Related"
    }

    /// The data that the pages show.
    struct Source: Hashable {
        var race: Race
        var index: Int
        /// The small profile of its track.
        var spark: String?
    }

    let services: RaceServices
    private let entries: EntryServices
    let access: LibraryAccess
    private let control = SegmentedControl()
    private let facts = StageFactsView()
    private let picture = LoadedPictureView(retry: StageCommands.retryPicture)
    private var pictures: StagePictures { StagePictures(race: race, services: services) }
    private lazy var track = access.read(nil) { try $0.races.track(race: race.id, stage: stage.number) }
    private lazy var map = StageMapView(
        race, index: index, track: track, outlines: { [services] in services.outlines })
    private lazy var profile = (track?.profile ?? StageProfile(stage)).map {
        StageProfileView($0, climbs: stage.climbs ?? [])
    }
    private lazy var standings = StageStandings(race, index: index, services: services) { [weak self] in
        self?.showRider($0)
    }
    private lazy var news = StageNews(services: entries)
    private lazy var live = StageLive(
        race, stage, elevation: track?.profile ?? StageProfile(stage), services: services,
        showRider: { [weak self] in self?.showRider($0) },
        didChange: { [weak self] in self?.showProgress() })
    /// Whether the stage is today, or has a ticker.
    private lazy var isDay = StageLive.isDay(of: stage, in: race, services)
    private var observation: Observation?
    private var pages: [Page] = [.facts]
    /// The current page, or the first one to show.
    lazy var page = Page.first(isToday: stage.isToday(at: access.clock(), local: services.appearance.dates.today))
    /// The source of the detail. If the race or track changes, the detail must be replaced.
    let source: Source
    private let dateItem = BarButtonItem(StageCommands.stageDate, title: "date", priority: 3)
    private let pauseItem = BarButtonItem(StageCommands.pauseReplay, title: "pause", priority: 2)
    /// The visible picture when this detail appears, used as a placeholder.
    var pictureBefore: PixelBuffer?
    private let showNeighbour: (Int) -> Void

    private var race: Race { source.race }
    private var index: Int { source.index }
    private var stage: Stage { race.stages[index] }

    /// - Parameter showNeighbour: Shows the stage some places further.
    init(_ source: Source, services: RaceServices, entries: EntryServices, showNeighbour: @escaping (Int) -> Void) {
        self.source = source
        self.services = services
        self.entries = entries
        access = services.access
        self.showNeighbour = showNeighbour
        super.init()
        showTitle()
        navigationItem.backTitle = DisplayText("Stage \(stage.name)")
        if stage.articleURL != nil {
            navigationItem.rightBarButtonItems = [BarButtonItem(StageCommands.stageArticle)]
        }
    }

    override func viewDidLoad() {
        let pages: [View?] = [control, picture, live.view, facts, profile, standings.view, news.view, map]
        for page in pages.compactMap({ $0 }) { view.addSubview(page) }
        // A detail that isn't visible reads again when it appears.
        observation = access.library.observe(.races) { [weak self] in
            if let self, self.window != nil { self.readOverview() }
        }
        control.onSelect = { [weak self] in
            guard let self else { return }
            self.show(self.pages[$0])
        }
        facts.text.onScroll = { [weak self] in self?.showPosition() }
        addChild(news)
        defer { news.didMove(to: self) }
        picture.didLoad = { [weak self] in
            guard let self else { return }
            self.show(self.page)
            self.entries.web.pictures.loadAhead(self.pictures.neighbours(of: self.index))
        }
    }

    override func viewWillAppear() {
        isDay = StageLive.isDay(of: stage, in: race, services)
        findNews()
        readOverview()
        showTitle()
        if isDay { live.begin() }
        picture.image.detail = services.appearance.imageDetail
        if picture.isDue { loadPicture(picture.request ?? pictures.first(of: stage)) }
    }

    // MARK: Pages

    private func findNews() {
        news.find(SearchQuery(newsOf: stage, in: race))
        pages = Page.pages(
            Page.Contents(
                isDay: isDay, hasPicture: pictures.first(of: stage) != nil, hasMap: map != nil,
                hasProfile: profile != nil, hasStandings: race.hasStandings, hasNews: !news.rows.isEmpty,
                isLinear: access.settings[.linear]))
        control.segments = pages.map { page in
            SegmentedControl.Segment(
                DisplayText(page.rawValue), badge: page == .related ? DisplayText(String(news.rows.count)) : nil)
        }
        if !pages.contains(page) { page = .facts }
        show(page)
    }

    private func showToolbar() {
        let pause = services.replay == nil ? nil : pauseItem
        let own = page == .live ? Page.liveItems(pause: pause) : Page.otherItems
        let start = [BarButtonItem(StageCommands.nextPage, title: "page", priority: 2)]
        toolbarItems = start + own + [dateItem]
    }

    private func show(_ page: Page) {
        self.page = page
        showToolbar()
        control.selectedSegmentIndex = pages.firstIndex(of: page) ?? 0
        view.setNeedsLayout()
        window?.updateAppearance()
        let focused: View =
            switch page {
            case .live: live.view
            case .facts: facts.text
            case .picture: picture.image.image == nil ? facts.text : picture.image
            case .map: map ?? facts.text
            case .profile: profile ?? facts.text
            case .standings: standings.view.table
            case .related: news.table
            }
        if splitViewController?.focusedColumn == .secondary { window?.focus(focused) }
    }

    /// The news receive events only while their page is visible.
    override var visibleChildren: [ViewController] { page == .related ? [news] : [] }

    private func turn(_ step: Int) {
        if let next = page.turned(step, in: pages) { show(next) }
    }

    override func viewWillLayoutSubviews() {
        writeFacts()
        let hasControl = traits.vertical >= .compact && view.bounds.height >= 8 && view.bounds.width >= 30
        control.isHidden = !hasControl
        control.frame = Rect(x: 0, y: 0, width: view.bounds.width, height: 1)
        let area = view.bounds.inset(top: hasControl ? 1 : 0)
        let pages: [(page: Page, view: View)] = [
            (.live, live.view), (.facts, facts), (.standings, standings.view), (.related, news.table),
        ]
        for (own, view) in pages {
            view.isHidden = page != own
            view.frame = area
        }
        if isDay { live.size = area.size }
        let drawings = [(Page.picture, picture), (.map, map), (.profile, profile)] as [(Page, View?)]
        // Large panes draw the profile or the map of a stage without a picture.
        let drawing: View? = picture.hasContent ? picture : facts.isLarge ? profile ?? map : nil
        let place = page == .facts ? facts.placeParts(canDraw: drawing != nil) : nil
        for (own, view) in drawings {
            var place = view === drawing ? place : nil
            // An empty line is between the kilometres of a profile and the facts.
            if view === profile { place?.size.height -= 1 }
            view?.isHidden = page != own && place == nil
            view?.frame = place ?? area
        }
        if let place, drawing === picture, let map { show(map, beside: picture, in: place) }
        profile?.listsClimbs = page == .profile
        if page == .map, facts.isLarge, let map, let profile { show(profile, below: map, in: area) }
        showPosition()
    }

    /// The minimum number of columns for a map beside a picture.
    private static let minimumMap = 20

    private func show(_ map: View, beside picture: View, in place: Rect) {
        let width = picture.sizeThatFits(place.size).width + 1
        guard facts.isLarge, place.width - width >= Self.minimumMap else { return }
        picture.frame = place.inset(right: place.width - width)
        map.isHidden = false
        map.frame = place.inset(left: width)
    }

    private static let profileHeights = 8...14

    private func show(_ profile: View, below map: View, in area: Rect) {
        let height = (area.height * 2 / 5).limited(to: Self.profileHeights)
        map.frame = area.inset(bottom: height)
        profile.isHidden = false
        profile.frame = area.inset(top: area.height - height)
    }

    // MARK: Facts

    private func showTitle() {
        title = DisplayText("\(race.race): ") + StageText.route(stage.route, isLinear: access.settings[.linear])
    }

    private func readOverview() {
        facts.show(access.read(StageOverview()) { try StageOverview(stage, of: race, in: $0) })
    }

    /// What decides how the facts are written.
    private struct FactsStyle: Equatable {
        /// Whether the text shows the route, because the bar truncates it.
        var hasRoute: Bool
        /// Whether the bar above shows the position. In low panes it may have the list's title.
        var isPositionInBar: Bool
        var isLinear: Bool
        var today: CalendarDay
    }

    private var factsStyle: FactsStyle?

    /// Writes the facts again if they are written in another way than before.
    private func writeFacts() {
        let dates = services.appearance.dates
        let hasRoute = traits.vertical < .regular || title.columns > view.bounds.width - 4
        let style = FactsStyle(
            hasRoute: hasRoute, isPositionInBar: hasRoute && traits.vertical == .regular,
            isLinear: view.symbols.isLinear, today: dates.today)
        guard style != factsStyle else { return }
        factsStyle = style
        showTitle()
        facts.show(
            heading: StageText.heading(
                race, index: index, hasRoute: style.hasRoute, isPositionInBar: style.isPositionInBar,
                isLinear: style.isLinear),
            facts: StageText.facts(race, index: index, dates: dates, isLinear: style.isLinear))
    }

    /// Shows the stage's position in the bar while the route is on the page.
    private func showPosition() {
        let isRouteVisible = facts.hasDrawing || facts.text.firstVisibleParagraph == 0
        let isOnPage = page == .facts && factsStyle?.hasRoute == true && isRouteVisible
        navigationItem.titleOverContent = isOnPage ? StageText.position(index, in: race) : nil
    }

    // MARK: Picture

    private func loadPicture(_ request: PictureRequest?) {
        guard let request else { return }
        picture.load(
            request, credit: pictures.credit(request, of: stage), before: pictureBefore, after: .milliseconds(100),
            by: entries)
    }

    /// The visible picture, as a placeholder for the next stage.
    var shownPicture: PixelBuffer? { picture.shown }

    override func viewDidDisappear() {
        picture.cancel()
        live.end()
    }

    /// Adopts the list of standings that the user chose in another detail, and the live page of one of the same stage.
    func adopt(_ other: StageDetailViewController) {
        guard other.viewIfLoaded != nil else { return }
        if let list = other.standings.chosenList { standings.choose(list) }
        if other.race.id == race.id, other.stage.number == stage.number { live.adopt(other.live) }
    }

    private func showRider(_ key: String) {
        navigationController?.push(RiderViewController(key, in: race, services: services))
    }

    /// Shows the position of the race and the groups on profile and map.
    private func showProgress() {
        profile?.kilometre = live.kilometre
        profile?.groups = live.marks
        map?.groups = live.marks
        pauseItem.title = services.replay?.isPaused == true ? "resume" : "pause"
        map?.shareRidden = live.kilometre.flatMap { km in stage.distance.map { km / $0 } }
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        releasePictures()
    }

    func releasePictures() {
        if window == nil { picture.forget() }
    }

    // MARK: Article and date

    var hasArticle: Bool { stage.articleURL != nil }

    func readArticle() {
        guard let url = stage.articleURL else { return access.status.show("This stage has no article.") }
        navigationController?.push(
            ArticleViewController(
                title: StageText.route(stage.route, isLinear: access.settings[.linear]), url: url,
                ownHost: pictures.trustedHost(for: url), services: entries))
    }

    private func presentDate() {
        PublishDateViewController(stage: stage.number, ofRace: race.id, entries).present(
            over: self, from: dateItem, or: view)
    }

    override var commands: [Command] {
        let isLive = page == .live
        let own = [
            Command(StageCommands.nextPage, of: self) { $0.turn(1) },
            Command(StageCommands.previousPage, of: self) { $0.turn(-1) },
            Command(StageCommands.stageDate, of: self) { $0.presentDate() },
            Command(StageCommands.previousStage, of: self, isEnabled: index > 0) { $0.showNeighbour(-1) },
            Command(StageCommands.nextStage, of: self, isEnabled: index + 1 < race.stages.count) {
                $0.showNeighbour(1)
            },
            Command(StageCommands.stageArticle, of: self, isEnabled: hasArticle) { $0.readArticle() },
            Command(StageCommands.photograph, of: self, isEnabled: stage.imageURL != nil) {
                $0.loadPicture($0.pictures.photograph(of: $0.stage))
            },
            Command(StageCommands.retryPicture, of: self, isEnabled: picture.hasFailed) {
                $0.loadPicture($0.picture.request)
            },
            Command(StageCommands.revealStage, of: self, isEnabled: access.hidesResults(of: race.id)) {
                $0.access.toggleReveal(at: $0.stage, of: $0.race.id)
            },
            Command(StageCommands.delayLive, of: self, isEnabled: isDay && services.replay == nil) {
                $0.live.askForDelay($0)
            },
            Command(StageCommands.findRider, of: self, isEnabled: isLive && live.canFind) {
                $0.live.findRider(from: $0)
            },
            Command(StageCommands.delayMore, of: self, isEnabled: isLive && live.isDelayed) {
                $0.live.changeDelay(by: 5)
            },
            Command(StageCommands.delayLess, of: self, isEnabled: isLive && live.isDelayed) {
                $0.live.changeDelay(by: -5)
            },
            Command(StageCommands.openRider, of: self, isEnabled: isLive && live.canFind) {
                if !$0.live.view.showLinkHints() { $0.access.status.show("No riders are named here.") }
            },
            Command(StageCommands.favourite, of: self, isEnabled: page == .standings && standings.canMark) {
                $0.standings.toggleFavourite()
            },
            Command(StageCommands.nextList, of: self, isEnabled: page == .standings) { $0.standings.showNextList() },
            Command(StageCommands.stageBrowser, of: self, isEnabled: hasArticle) {
                $0.entries.web.openLink($0.stage.articleURL)
            },
        ]
        return own + services.replayCommands
    }
}
