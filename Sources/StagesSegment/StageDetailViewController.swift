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
    /// A page of the detail.
    enum Page: Hashable {
        case live, facts, picture, map, profile, standings, related
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
    private let heading = TextView()
    private let facts = TextView()
    private let overview = StageOverview()
    private let picture = LoadedPictureView(retry: StageCommands.retryPicture)
    private var pictures: StagePictures { StagePictures(race, services) }
    private lazy var track = access.read(nil) { try $0.races.track(race: race.id, stage: stage.number) }
    private lazy var map = StageMapView(
        race, index: index, track: track, outlines: { [services] in services.outlines })
    private lazy var profile = (track?.profile ?? StageProfile(stage)).map {
        StageProfileView($0, climbs: stage.climbs ?? [])
    }
    private lazy var standings = StandingsView(race, index: index, services: services) { [weak self] in
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
    lazy var page = Page.first(
        isToday: stage.isToday(at: access.clock(), local: services.appearance.dates.today))
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
    init(
        _ source: Source, services: RaceServices, entries: EntryServices, showNeighbour: @escaping (Int) -> Void
    ) {
        self.source = source
        self.services = services
        self.entries = entries
        access = services.access
        self.showNeighbour = showNeighbour
        super.init()
        showTitle()
        navigationItem.backTitle = DisplayText("Stage \(stage.number)")
        if stage.articleURL != nil {
            navigationItem.rightBarButtonItems = [BarButtonItem(StageCommands.stageArticle)]
        }
    }

    private final class PagesView: View {
        weak var owner: StageDetailViewController?
        override func layoutSubviews() { owner?.place() }
    }

    override func makeView() -> View {
        let view = PagesView()
        view.owner = self
        return view
    }

    override func viewDidLoad() {
        let pages: [View?] = [
            control, picture, live.view, heading, facts, profile, standings, news.view, map, overview.ranking,
            overview.chart,
        ]
        for page in pages.compactMap({ $0 }) { view.addSubview(page) }
        heading.isScrollEnabled = false
        // A detail that isn't visible reads again when it appears.
        observation = access.library.observe(.races) { [weak self] in
            if let self, self.window != nil { self.showFacts() }
        }
        control.onSelect = { [weak self] in
            guard let self else { return }
            self.show(self.pages[$0])
        }
        facts.onScroll = { [weak self] in self?.showPosition() }
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
        showFacts()
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
            switch page {
            case .live: SegmentedControl.Segment("Live")
            case .facts: SegmentedControl.Segment("Facts")
            case .picture: SegmentedControl.Segment("Picture")
            case .map: SegmentedControl.Segment("Map")
            case .profile: SegmentedControl.Segment("Profile")
            case .standings: SegmentedControl.Segment("Standings")
            case .related: SegmentedControl.Segment("Related", badge: DisplayText(String(news.rows.count)))
            }
        }
        if !pages.contains(page) { page = .facts }
        show(page)
    }

    /// Shows the keys of the page.
    private func showToolbar() {
        let isReplay = services.replay != nil
        let own = page == .live ? Page.liveItems(pause: isReplay ? pauseItem : nil) : Page.otherItems
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
            case .facts: facts
            case .picture: picture.image.image == nil ? facts : picture.image
            case .map: map ?? facts
            case .profile: profile ?? facts
            case .standings: standings.table
            case .related: news.table
            }
        if splitViewController?.focusedColumn == .secondary { window?.focus(focused) }
    }

    /// The news receive events only while their page is visible.
    override var visibleChildren: [ViewController] { page == .related ? [news] : [] }

    private func turn(_ step: Int) {
        if let next = page.turned(step, in: pages) { show(next) }
    }

    private func place() {
        let hasControl = traits.vertical >= .compact && view.bounds.height >= 8 && view.bounds.width >= 30
        control.isHidden = !hasControl
        control.frame = Rect(x: 0, y: 0, width: view.bounds.width, height: 1)
        let area = view.bounds.inset(top: hasControl ? 1 : 0)
        live.view.isHidden = page != .live
        live.view.frame = area
        if isDay { live.fit(area.size) }
        standings.isHidden = page != .standings
        standings.frame = area
        news.table.isHidden = page != .related
        news.table.frame = area
        let drawing = placeFacts(in: area)
        for (own, place) in [(Page.picture, picture), (.map, map), (.profile, profile)] as [(Page, View?)] {
            place?.isHidden = page != own && drawing !== place
            if drawing !== place { place?.frame = area }
        }
        showPosition()
    }

    /// Places the heading, a drawing of the stage, the facts and, in large panes, the standings.
    ///
    /// - Returns: The drawing: the picture, or in large panes the profile or the map.
    private func placeFacts(in area: Rect) -> View? {
        let isLinear = view.symbols.isLinear
        let isLarge =
            area.width >= StageOverview.large.width
            && area.height >= StageOverview.large.height && !isLinear
        let side = isLarge ? overview.size : .zero
        let headHeight = heading.sizeThatFits(area.size).height
        let width = area.width - side.width
        if !hasDrawing { hideHeading(false) }
        let text = facts.sizeThatFits(Size(width: width, height: area.height)).height
        let factsHeight = max(hasDrawing ? text + headHeight : text, side.height)
        let room = area.height - factsHeight - 1
        let charts = isLarge && overview.hasChart ? room / 2 : 0
        let chart =
            charts >= StageOverview.minimumChart ? min(charts, StageOverview.maximumChart) : 0
        let drawn: View? = picture.hasContent ? picture : isLarge ? profile ?? map : nil
        let isDrawn = page == .facts && !isLinear && room - chart >= StageOverview.minimumDrawing
        let drawing = isDrawn ? drawn : nil
        if hasDrawing != (drawing != nil) { hideHeading(drawing != nil) }
        let top = drawing == nil ? 0 : headHeight
        let height = drawing == nil ? 0 : room - chart
        heading.isHidden = drawing == nil
        heading.frame = Rect(x: area.minX, y: area.minY, width: area.width, height: headHeight)
        drawing?.frame = Rect(x: area.minX, y: area.minY + top, width: area.width, height: height)
        let isFacts = page == .facts
        for part in [facts, overview.ranking, overview.chart] { part.isHidden = !isFacts }
        let rest = area.inset(top: top + height, bottom: chart)
        facts.frame = Rect(x: rest.minX, y: rest.minY, width: width, height: rest.height)
        overview.ranking.frame = Rect(x: rest.minX + width, y: rest.minY, width: side.width, height: rest.height)
        overview.chart.frame = Rect(x: area.minX, y: rest.maxY, width: area.width, height: chart)
        return drawing
    }

    // MARK: Facts

    private func showTitle() {
        title = DisplayText("\(race.race): ") + StageText.route(stage.route, isLinear: access.settings[.linear])
    }

    private func showFacts() {
        showTitle()
        overview.load(stage, of: race, access)
        shown = (showsHeading, isPositionInBar, facts.symbols.isLinear)
        let paragraphs = StageText.heading(
            race, index: index, hasRoute: shown.heading, isPositionInBar: shown.isPositionInBar,
            isLinear: shown.isLinear)
        heading.setParagraphs(paragraphs)
        hideHeading(hasDrawing)
    }

    /// Whether a drawing is between the heading and the facts.
    private var hasDrawing = false

    /// Shows the facts with or without their heading, which is above a drawing.
    private func hideHeading(_ isHidden: Bool) {
        let facts = StageText.facts(
            race, index: index, dates: services.appearance.dates, isLinear: shown.isLinear)
        hasDrawing = isHidden
        let paragraphs = isHidden ? facts : heading.paragraphs + facts
        if paragraphs != self.facts.paragraphs { self.facts.setParagraphs(paragraphs, keepsPlace: true) }
    }

    /// Whether the text shows the route, because the bar truncates it.
    private var showsHeading: Bool { traits.vertical < .regular || title.columns > view.bounds.width - 4 }
    /// Whether the bar above shows the position. In low panes it may have the list's title.
    private var isPositionInBar: Bool { showsHeading && traits.vertical == .regular }
    private var shown = (heading: true, isPositionInBar: false, isLinear: false)

    override func viewWillLayoutSubviews() {
        if shown != (showsHeading, isPositionInBar, facts.symbols.isLinear) { showFacts() }
    }

    /// Shows the stage's position in the bar while the route is on the page.
    private func showPosition() {
        let isOnPage = page == .facts && shown.heading && (hasDrawing || facts.firstVisibleParagraph == 0)
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
        profile?.kilometre = live.progress.km
        profile?.groups = live.marks
        map?.groups = live.marks
        pauseItem.title = services.replay?.isPaused == true ? "resume" : "pause"
        map?.shareRidden = live.progress.km.flatMap { km in stage.distance.map { km / $0 } }
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        releasePictures()
    }

    func releasePictures() {
        if window == nil { picture.forget() }
    }

    // MARK: Article and date

    /// Whether the stage links to an article.
    var hasArticle: Bool { stage.articleURL != nil }

    /// Shows the stage's article over the stage.
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
        let own = [
            Command(StageCommands.nextPage) { [weak self] in self?.turn(1) },
            Command(StageCommands.previousPage) { [weak self] in
                self?.turn(-1)
            },
            Command(StageCommands.stageDate) { [weak self] in self?.presentDate() },
            Command(StageCommands.previousStage, isEnabled: index > 0) {
                [weak self] in
                self?.showNeighbour(-1)
            },
            Command(
                StageCommands.nextStage, isEnabled: index + 1 < race.stages.count
            ) { [weak self] in
                self?.showNeighbour(1)
            },
            Command(
                StageCommands.stageArticle, isEnabled: hasArticle
            ) { [weak self] in
                self?.readArticle()
            },
            Command(
                StageCommands.photograph, isEnabled: stage.imageURL != nil
            ) {
                [weak self] in
                self?.loadPicture(self.flatMap { $0.pictures.photograph(of: $0.stage) })
            },
            Command(
                StageCommands.retryPicture, isEnabled: picture.hasFailed
            ) {
                [weak self] in
                self?.loadPicture(self?.picture.request)
            },
            Command(StageCommands.revealStage, isEnabled: access.hidesResults(of: race.id)) { [weak self] in
                guard let self else { return }
                self.access.toggleReveal(at: self.stage, of: self.race.id)
            },
            Command(StageCommands.delayLive, isEnabled: isDay && services.replay == nil) { [weak self] in
                guard let self else { return }
                self.live.askForDelay(self)
            },
            Command(StageCommands.findRider, isEnabled: page == .live && live.canFind) { [weak self] in
                guard let self else { return }
                self.live.findRider(from: self)
            },
            Command(StageCommands.delayMore, isEnabled: page == .live && live.isDelayed) { [weak self] in
                self?.live.changeDelay(by: 5)
            },
            Command(StageCommands.delayLess, isEnabled: page == .live && live.isDelayed) { [weak self] in
                self?.live.changeDelay(by: -5)
            },
            Command(StageCommands.openRider, isEnabled: page == .live && live.canFind) { [weak self] in
                guard let self, !self.live.view.showLinkHints() else { return }
                self.access.status.show("No riders are named here.")
            },
            Command(StageCommands.favourite, isEnabled: page == .standings && standings.canMark) { [weak self] in
                self?.standings.toggleFavourite()
            },
            Command(StageCommands.nextList, isEnabled: page == .standings) { [weak self] in
                self?.standings.showNextList()
            },
            Command(StageCommands.stageBrowser, isEnabled: stage.articleURL != nil) {
                [weak self] in
                guard let self else { return }
                self.entries.web.openLink(self.stage.articleURL)
            },
        ]
        return own + services.replayCommands
    }
}
