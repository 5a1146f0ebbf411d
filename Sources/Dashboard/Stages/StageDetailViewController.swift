import ModelCore
import Pictures
import TerminalUI

/// One stage on pages: picture and facts, map, distances, related news (rows STA-02 to STA-06).
@MainActor
final class StageDetailViewController: ViewController, RowDetail {
    /// A page.
    enum Page: Hashable {
        case facts, picture, map, profile, standings, related
    }

    /// What the pages are about.
    struct Source: Hashable {
        var race: Race
        var index: Int
        /// The small profile of its track.
        var spark: String?
    }

    private let context: DashboardContext
    private let control = SegmentedControl()
    private let facts = TextView()
    private let picture = LoadedPictureView()
    private lazy var track = context.read(nil) { try $0.track(race: race.id, stage: stage.number) }
    private lazy var map = StageMapView(race, index: index, route: track?.route)
    private lazy var profile: View =
        track.map { StageProfileView($0.profile) } ?? StageDistancesView(race, index: index)
    private lazy var standings = StandingsView(race, index: index)
    private let related = TableView()
    private var news: [EntryRow] = []
    private var pages: [Page] = [.facts]
    /// The page that is shown, or will be.
    var page = Page.facts
    /// What it was made from: another race or track needs another detail.
    let source: Source
    private lazy var dateItem = BarButtonItem("Publish Date", key: "p", priority: 3) { [weak self] in
        self?.presentDate()
    }
    /// Shows the stage so many places further.
    var showNeighbour: (Int) -> Void = { _ in }

    private var race: Race { source.race }
    private var index: Int { source.index }
    private var stage: Stage { race.stages[index] }

    init(_ source: Source, context: DashboardContext) {
        self.source = source
        self.context = context
        super.init()
        title = DisplayText("\(race.race): \(stage.route)")
        navigationItem.backTitle = DisplayText("Stage \(stage.number)")
        if stage.articleURL != nil {
            navigationItem.rightBarButtonItems = [
                BarButtonItem("Read Article", key: "a") { [weak self] in self?.readArticle() }
            ]
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
        toolbarItems = [
            BarButtonItem("page", key: "]", priority: 2) { [weak self] in self?.turn(1) },
            BarButtonItem("next stage", key: "J", priority: 1) { [weak self] in self?.showNeighbour(1) },
            BarButtonItem("browser", key: "o", priority: 0) { [weak self] in self?.openArticle() }, .flexibleSpace(),
            dateItem,
            helpItem(priority: 2),
        ]
        for subview in [control, picture, facts, profile, standings, related] { view.addSubview(subview) }
        if let map { view.addSubview(map) }
        control.onSelect = { [weak self] in
            guard let self else { return }
            self.show(self.pages[$0])
        }
        related.dataSource = self
        related.delegate = self
        picture.didLoad = { [weak self] in
            guard let self else { return }
            self.show(self.page)
        }
        related.emptyText = "No entries of these days name the stage's towns, its winner or the race."
    }

    override func viewWillAppear() {
        findNews()
        showFacts()
        picture.image.detail = context.imageDetail
        if picture.isDue { loadPicture(picture.request ?? firstRequest) }
    }

    // MARK: Pages

    private func findNews() {
        news = []
        if let query = context.library.newsQuery(of: stage, in: race) {
            news = context.read([]) { try $0.entries(in: .search(query), limit: 50) }
        }
        pages =
            [.facts] + (firstRequest == nil ? [] : [.picture]) + (map == nil ? [] : [.map]) + [.profile]
            + (hasStandings ? [.standings] : []) + (news.isEmpty ? [] : [.related])
        control.segments = pages.map { page in
            switch page {
            case .facts: SegmentedControl.Segment("Facts")
            case .picture: SegmentedControl.Segment("Picture")
            case .map: SegmentedControl.Segment("Map")
            case .profile: SegmentedControl.Segment("Profile")
            case .standings: SegmentedControl.Segment("Standings")
            case .related: SegmentedControl.Segment("Related", badge: DisplayText(String(news.count)))
            }
        }
        related.reloadData()
        if !news.isEmpty, related.selectedPath == nil { related.select(RowPath(row: 0)) }
        if !pages.contains(page) { page = .facts }
        show(page)
    }

    private var hasStandings: Bool { race.stages.contains { $0.winner != nil || $0.leaderAfter != nil } }

    private func show(_ page: Page) {
        self.page = page
        control.selectedSegmentIndex = pages.firstIndex(of: page) ?? 0
        view.setNeedsLayout()
        let focused: View =
            switch page {
            case .facts: facts
            case .picture: picture.image.image == nil ? facts : picture.image
            case .map: map ?? facts
            case .profile: profile.canBecomeFocused ? profile : facts
            case .standings: standings.table
            case .related: related
            }
        if splitViewController?.focusedColumn == .secondary { window?.focus(focused) }
    }

    private func turn(_ step: Int) {
        guard let place = pages.firstIndex(of: page) else { return }
        show(pages[(place + step + pages.count) % pages.count])
    }

    private func place() {
        let hasControl = traits.vertical >= .compact && view.bounds.height >= 8 && view.bounds.width >= 30
        control.isHidden = !hasControl
        control.frame = Rect(x: 0, y: 0, width: view.bounds.width, height: 1)
        let area = view.bounds.inset(top: hasControl ? 1 : 0)
        facts.isHidden = page != .facts
        profile.isHidden = page != .profile
        map?.isHidden = page != .map
        standings.isHidden = page != .standings
        standings.frame = area
        related.isHidden = page != .related
        map?.frame = area
        profile.frame = area
        related.frame = area
        // Above the facts the picture takes what they leave, if that is worth it.
        let room = area.height - facts.sizeThatFits(area.size).height - 1
        let standsAbove = page == .facts && picture.hasContent && room >= 6
        picture.isHidden = page != .picture && !standsAbove
        let height = page == .picture ? area.height : standsAbove ? room : 0
        picture.frame = Rect(x: area.minX, y: area.minY, width: area.width, height: height)
        facts.frame = area.inset(top: standsAbove ? height : 0)
    }

    // MARK: Facts

    private func showFacts() {
        showedHeading = showsHeading
        let paragraphs = StageText.paragraphs(race, index: index, dates: context.dates, hasHeading: showsHeading)
        facts.setParagraphs(paragraphs, keepsPlace: true)
    }

    /// The bar has the route already, unless it is cut there.
    private var showsHeading: Bool { titleIsCut(over: view) }
    private var showedHeading = true

    override func viewWillLayoutSubviews() {
        if showsHeading != showedHeading { showFacts() }
    }

    // MARK: Picture

    /// The bundled picture where there is one; else the address that the race's file names.
    private var firstRequest: PictureRequest? {
        if context.hasBundledPicture(race.id, stage.number) { return .bundled(race: race.id, stage: stage.number) }
        return photographRequest
    }

    /// The address stands in a file of the user's own.
    private var photographRequest: PictureRequest? {
        stage.imageURL.map { .address($0, ownHost: PageService.host($0)) }
    }

    private func loadPicture(_ request: PictureRequest?) {
        guard let request else { return }
        picture.load(request, credit: credit(request), after: .milliseconds(100), by: context)
    }

    override func viewDidDisappear() { picture.cancel() }

    /// Whose the picture is (row STA-08).
    private func credit(_ request: PictureRequest) -> DisplayText {
        switch request {
        case .bundled: stage.imageURL == nil ? "Drawn for tappa" : "Drawn for tappa · P loads the photograph"
        case .address(let url, _), .thumbnail(let url, _): DisplayText("Photograph: \(PageService.host(url) ?? url)")
        }
    }

    override func didReceiveMemoryWarning() {
        super.didReceiveMemoryWarning()
        letGoPictures()
    }

    func letGoPictures() {
        if window == nil { picture.forget() }
    }

    // MARK: Article and date

    private func openArticle() { context.openLink(stage.articleURL) }

    private func readArticle() {
        guard let url = stage.articleURL else { return context.status.show("There is no article.") }
        // The address stands in a file of the user's own.
        navigationController?.push(
            ArticleViewController(
                title: DisplayText(stage.route), url: url, ownHost: PageService.host(url), context: context))
    }

    private func presentDate() {
        let dates = PublishDateViewController(stage, article: context.articleDate(of: stage), text: context.dates)
        presentDates(dates, from: dateItem, or: view)
    }

    override var commands: [Command] {
        [
            Command("stage.nextPage", "Next page", keys: ["]"], worksFromList: true) { [weak self] in self?.turn(1) },
            Command("stage.previousPage", "Page before", keys: ["["], worksFromList: true) { [weak self] in
                self?.turn(-1)
            },
            Command("stage.publishDate", "Publish Date", keys: ["p"]) { [weak self] in self?.presentDate() },
            Command("stage.previous", "Previous stage", keys: ["K"], isEnabled: index > 0, worksFromList: true) {
                [weak self] in
                self?.showNeighbour(-1)
            },
            Command(
                "stage.next", "Next stage", keys: ["J"], isEnabled: index + 1 < race.stages.count, worksFromList: true
            ) { [weak self] in
                self?.showNeighbour(1)
            },
            Command(
                "stage.article", "Read Article", keys: ["a"], isEnabled: stage.articleURL != nil, worksFromList: true
            ) { [weak self] in
                self?.readArticle()
            },
            Command(
                "stage.photograph", "Load the photograph", keys: ["P"], isEnabled: stage.imageURL != nil,
                worksFromList: true
            ) {
                [weak self] in
                self?.loadPicture(self?.photographRequest)
            },
            Command(
                "stage.retryPicture", "Load the picture again", keys: ["r"], isEnabled: picture.hasFailed,
                worksFromList: true
            ) {
                [weak self] in
                self?.loadPicture(self?.picture.request)
            },
            Command("stage.browser", "Open the article in the browser", keys: ["o"], worksFromList: true) {
                [weak self] in
                self?.openArticle()
            },
        ]
    }
}

extension StageDetailViewController: TableViewDataSource, TableViewDelegate {
    func tableView(_ table: TableView, numberOfRowsInSection section: Int) -> Int { news.count }

    func tableView(_ table: TableView, cellForRowAt path: RowPath) -> TableViewCell {
        let row = news[path.row]
        let cell = table.dequeueCell()
        cell.title = DisplayText(row.title)
        cell.titleRole = row.isRead ? .text : .unread
        cell.value = row.hasDate ? context.dates.short(row.sortDate) : .empty
        return cell
    }

    func tableView(_ table: TableView, didActivateRowAt path: RowPath) {
        guard let entry = context.read(nil, { try $0.entry(news[path.row].id) }) else { return }
        navigationController?.push(EntryViewController(entry: entry, context: context))
    }
}
