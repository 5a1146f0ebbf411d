import Races
import TerminalUI

/// The standings after a stage: a strip of the leaders through the race, the jerseys, and a table with one of the
/// lists. Wide panes show the gaps and the first rows of other lists beside it.
@MainActor
final class StandingsView: View {
    var content: StandingsContent { didSet { contentDidChange(from: oldValue.list) } }
    let table = DataTableView(columns: [])
    var onChoose: (StandingsList) -> Void = { _ in }
    private let nextKey: () -> String
    private let strip: LeaderStripView
    private let jerseys = JerseysView()
    private let control = SegmentedControl()
    private let listLine = ListLine()
    private let chart = GapChartView()
    private let others = TextView()
    private var source = StandingsTable()
    /// The rows in the order of the table.
    private var rows: [StandingsTable.Row] = []
    /// The pane for which the rows were made, or `nil` to make them again.
    private var pane: StandingsPane?

    /// The minimum width for teams, and the widths between which lists beside the table come before them.
    private static let minimumForTeams = 56, listsBeforeTeams = 68..<84
    /// The minimum width for whole names and ranks won and lost.
    private static let minimumForNames = 30
    /// The minimum size of what is beside the table, and the height and the minimum number of stages of the chart there.
    private static let minimumBeside = Size(width: 20, height: 12), besideChart = 10, besideStages = 3

    /// The line with the name of the list. A click shows the next list.
    private final class ListLine: View {
        var text = DisplayText.empty
        var press: () -> Void = {}

        override func draw(in surface: Surface) {
            surface.draw(text.truncated(to: bounds.width - 2), at: Point(x: 1, y: 0), style: theme[.secondary])
        }

        override func handle(_ event: MouseEvent) -> Bool {
            guard event.action == .press(.left) else { return false }
            press()
            return true
        }
    }

    /// - Parameters:
    ///   - nextKey: Returns the key for the next list.
    ///   - open: Shows what a row leads to.
    init(
        _ content: StandingsContent, nextKey: @escaping () -> String,
        open: @escaping (StandingsTable.Target) -> Void
    ) {
        self.content = content
        self.nextKey = nextKey
        strip = LeaderStripView(content.race, index: content.index)
        super.init()
        for view in [table, chart, others, listLine, control, strip, jerseys] { addSubview(view) }
        others.isScrollEnabled = false
        control.onSelect = { [weak self] in
            if let self { self.onChoose(self.content.lists[$0]) }
        }
        listLine.press = { [weak self] in
            if let self { self.onChoose(self.content.nextList) }
        }
        table.value = { [weak self] in self?.row($0)?.values[$1].text ?? .empty }
        table.onSort = { [weak self] _, _ in self?.sort() }
        table.onActivate = { [weak self] in
            if let target = self?.row($0)?.target { open(target) }
        }
    }

    private func contentDidChange(from list: StandingsList) {
        // The row of another list doesn't stay selected.
        if content.list != list { rows = [] }
        pane = nil
        control.segments = content.lists.map { SegmentedControl.Segment(StandingText.shortName(of: $0)) }
        control.selectedSegmentIndex = content.lists.firstIndex(of: content.list) ?? 0
        chart.lines = content.gaps
        jerseys.wearers = content.wearers.map { list, name in
            JerseysView.Wearer(jersey: content.race.jerseys?.of(list), list: list, name: name)
        }
        setNeedsLayout()
    }

    // MARK: The table

    private func row(_ row: Int) -> StandingsTable.Row? { rows.indices.contains(row) ? rows[row] : nil }

    var selectedRow: StandingsTable.Row? { row(table.selectedRow) }

    private func sort() {
        rows = source.order(by: table.sorting).map { source.rows[$0] }
        table.reload(rows: rows.count)
    }

    /// Makes the rows again if the content or the pane has changed. What is selected moves with its row.
    private func updateRows() {
        let isLinear = symbols.isLinear
        let new = StandingsPane(
            hasTeams: bounds.width >= StandingsView.minimumForTeams
                && !StandingsView.listsBeforeTeams.contains(bounds.width) || isLinear,
            isTiny: bounds.width < StandingsView.minimumForNames && !isLinear, isLinear: isLinear,
            hasUnicode: traits.capabilities.hasUnicode)
        guard pane != new else { return }
        pane = new
        let key = selectedRow?.key
        source = content.table(in: new)
        table.columns = source.columns
        sort()
        table.reload(rows: rows.count, selecting: rows.firstIndex { $0.key == key })
    }

    // MARK: Layout

    override func layoutSubviews() {
        updateRows()
        let width = bounds.width
        // In screen-reader mode the table contains the strip in words.
        let stripLines = symbols.isLinear ? 0 : strip.sizeThatFits(bounds.size).height
        let jerseyLines = content.wearers.isEmpty ? 0 : 1
        let head = stripLines + jerseyLines > 0 ? stripLines + jerseyLines + 1 : 0
        let hasHead = bounds.height > 2 * head
        strip.isHidden = !hasHead || stripLines == 0
        strip.frame = Rect(x: 0, y: 0, width: width, height: stripLines)
        jerseys.isHidden = !hasHead || jerseyLines == 0
        jerseys.frame = Rect(x: 0, y: stripLines, width: width, height: jerseyLines)
        var area = bounds.inset(top: hasHead ? head : 0)
        control.isHidden = symbols.isLinear || content.lists.count < 2 || area.height < 8 || width < 30
        control.frame = Rect(x: area.minX, y: area.minY, width: area.width, height: 1)
        if !control.isHidden { area = area.inset(top: 1) }
        listLine.isHidden = area.height <= 3
        listLine.frame = Rect(x: area.minX, y: area.minY, width: area.width, height: 1)
        listLine.text = content.heading(key: control.isHidden ? nextKey() : nil)
        let body = area.inset(top: listLine.isHidden ? 0 : 1)
        let hasChart = content.list == .gaps
        let height = hasChart ? StandingText.rowsBelowChart(rows.count, in: body.height) : body.height
        chart.isHidden = !hasChart
        chart.frame = Rect(x: body.minX, y: body.minY, width: body.width, height: body.height - height)
        let margin = width >= 20 ? 1 : 0
        table.frame = body.inset(left: margin, top: body.height - height, right: margin)
        // Gaps between columns that are wider than their text make rows hard to follow.
        if !symbols.isLinear { table.frame.size.width = min(table.frame.width, table.naturalWidth) }
        table.setNeedsLayout()
        others.isHidden = true
        if !hasChart, !symbols.isLinear { placeOthers(in: body, margin: margin) }
    }

    /// Shows the first rows of other lists beside the table, and the gaps below them or, if it is short, below it.
    private func placeOthers(in body: Rect, margin: Int) {
        let area = body.inset(left: table.frame.maxX + 2, right: margin)
        guard area.width >= StandingsView.minimumBeside.width, area.height >= StandingsView.minimumBeside.height else {
            return
        }
        let hasGaps = content.lists.contains(.gaps) && content.gaps.stages.count >= StandingsView.besideStages
        let room = area.height - (hasGaps ? StandingsView.besideChart + 1 : 0)
        let isBelow = hasGaps && rows.count < room
        let lines = content.others.paragraphs(columns: area.width, rows: room)
        others.setParagraphs(lines)
        others.isHidden = lines.isEmpty
        others.maximumColumns = area.width
        others.frame = Rect(x: area.minX - 1, y: area.minY, width: area.width + 2, height: lines.count)
        guard hasGaps else { return }
        chart.isHidden = false
        let top = isBelow ? max(rows.count + 1, lines.count) + 1 : lines.isEmpty ? 0 : lines.count + 1
        chart.frame = (isBelow ? body : area).inset(top: top)
        chart.frame.size.height = min(chart.frame.height, 2 * StandingsView.besideChart)
        if isBelow { table.frame.size.height = top - 1 }
    }
}
