import ModelCore
import TerminalUI

/// One stage: its facts, the stages around it, its date (rows STA-02 and STA-06).
@MainActor
final class StageDetailViewController: ViewController {
    private let context: DashboardContext
    private let race: Race
    private let index: Int
    private let textView = TextView()
    private lazy var dateItem = BarButtonItem("Publish Date", key: "p", priority: 3) { [weak self] in
        self?.presentDate()
    }
    /// Shows the stage so many places further.
    var showNeighbour: (Int) -> Void = { _ in }

    private var stage: Stage { race.stages[index] }

    init(race: Race, index: Int, context: DashboardContext) {
        self.race = race
        self.index = index
        self.context = context
        super.init()
        title = DisplayText("\(race.race): \(race.stages[index].route)")
        navigationItem.backTitle = DisplayText("Stage \(race.stages[index].number)")
    }

    override func makeView() -> View { textView }

    override func viewDidLoad() {
        toolbarItems = [
            BarButtonItem("previous", key: "[", priority: 1) { [weak self] in self?.showNeighbour(-1) },
            BarButtonItem("next", key: "]", priority: 2) { [weak self] in self?.showNeighbour(1) },
            BarButtonItem("browser", key: "o", priority: 0) { [weak self] in self?.openArticle() }, .flexibleSpace(),
            dateItem,
            helpItem(priority: 2),
        ]
    }

    override func viewWillAppear() { showFacts() }

    private func showFacts() {
        showedHeading = showsHeading
        let facts = StageText.paragraphs(race, index: index, dates: context.dates, hasHeading: showsHeading)
        textView.setParagraphs(facts, keepsPlace: true)
    }

    /// The bar has the route already, unless it is cut there.
    private var showsHeading: Bool { titleIsCut(over: textView) }
    private var showedHeading = true

    override func viewWillLayoutSubviews() {
        if showsHeading != showedHeading { showFacts() }
    }

    private func openArticle() { context.openLink(stage.articleURL) }

    private func presentDate() {
        presentDates(PublishDateViewController(stage, text: context.dates), from: dateItem, or: textView)
    }

    override var commands: [Command] {
        [
            Command("stage.publishDate", "Publish Date", keys: ["p"]) { [weak self] in self?.presentDate() },
            Command("stage.previous", "Previous stage", keys: ["["], isEnabled: index > 0) { [weak self] in
                self?.showNeighbour(-1)
            },
            Command("stage.next", "Next stage", keys: ["]"], isEnabled: index + 1 < race.stages.count) { [weak self] in
                self?.showNeighbour(1)
            },
            Command("stage.browser", "Open the article in the browser", keys: ["o"]) { [weak self] in
                self?.openArticle()
            },
        ]
    }
}
