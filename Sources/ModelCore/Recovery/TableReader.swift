import Feeds
import GRDB
import LibraryKernel
import Races

/// Finds the rows of each table in the pages of a damaged database.
///
/// It first follows each table's tree from its root. It then assigns pages that no tree reaches, because a page above
/// them is damaged, by the types of their values.
struct TableReader {
    private var pages: DatabasePages
    private let layouts: [TableLayout]
    /// The root page of each table, as far as the schema can be read.
    private var roots: [String: Int] = [:]
    private var schemaIsIntact = true
    /// The pages with rows of each table.
    private var found: [String: [Int]] = [:]
    /// The pages that were assigned to a table.
    private var taken: Set<Int> = []
    /// The tables with missing pages.
    private var partial: Set<String> = []

    /// The minimum share of values that must fit a table if its tree leads to the page.
    private static let minimumInTree = 0.6
    /// The minimum share of values that must fit a table if no tree leads to the page.
    private static let minimumAlone = 0.9

    /// - Parameter layouts: All tables of the current version.
    init(_ pages: DatabasePages, layouts: [TableLayout]) {
        self.pages = pages
        self.layouts = layouts
        readSchema()
        for layout in layouts { followTree(of: layout) }
        recognizeOtherTables()
    }

    /// Calls `body` with each row of a table. Returns `false` if a part of the table could not be read.
    mutating func read(_ table: String, _ body: (DatabasePages.Record) throws -> Void) rethrows -> Bool {
        var isWhole = !partial.contains(table)
        for number in found[table] ?? [] {
            guard let node = pages.node(number) else { continue }
            if !node.isWhole { isWhole = false }
            for record in node.records { try body(record) }
        }
        return isWhole
    }

    /// Finds the roots of the tables in the schema's tree, then in any page that contains rows of a schema.
    private mutating func readSchema() {
        let (numbers, isWhole) = walk(1, isTable: true) { $0.isEmpty || $0.contains(where: TableReader.isOfSchema) }
        schemaIsIntact = isWhole
        let others = isWhole ? [] : pages.numbers.filter { !taken.contains($0) && pages.isTableLeaf($0) }
        for number in numbers + others {
            guard let node = pages.node(number, isBrief: true), node.records.contains(where: TableReader.isOfSchema)
            else { continue }
            if !node.isWhole { schemaIsIntact = false }
            taken.insert(number)
            note(node.records)
        }
    }

    private static func isOfSchema(_ record: DatabasePages.Record) -> Bool {
        guard record.values.count == 5, let type = String.fromDatabaseValue(record.values[0]) else { return false }
        return ["table", "index", "trigger", "view"].contains(type) && Int.fromDatabaseValue(record.values[3]) != nil
    }

    private mutating func note(_ records: [DatabasePages.Record]) {
        for record in records where TableReader.isOfSchema(record) {
            guard String.fromDatabaseValue(record.values[0]) == "table",
                let name = String.fromDatabaseValue(record.values[1]),
                roots[name] == nil,
                let root = Int.fromDatabaseValue(record.values[3]), root > 1
            else { continue }
            roots[name] = root
        }
    }

    /// Assigns the pages of a table's tree to the table.
    private mutating func followTree(of layout: TableLayout) {
        guard let root = roots[layout.name] else {
            // An older version may not have had the table.
            if !schemaIsIntact { partial.insert(layout.name) }
            return
        }
        let (numbers, isWhole) = walk(root, isTable: layout.isNumbered) {
            $0.isEmpty || layout.fit($0) >= TableReader.minimumInTree
        }
        found[layout.name] = numbers
        if !isWhole { partial.insert(layout.name) }
    }

    /// Traverses the pages of a tree and marks them as assigned.
    ///
    /// - Parameter accepts: Whether a page belongs to the tree, judged by its records.
    /// - Returns: The pages with records, and whether all pages of the tree were present.
    private mutating func walk(
        _ root: Int, isTable: Bool, _ accepts: ([DatabasePages.Record]) -> Bool
    ) -> (numbers: [Int], isWhole: Bool) {
        var (numbers, isWhole, waiting) = ([Int](), true, [root])
        while let number = waiting.popLast() {
            guard !taken.contains(number), let node = pages.node(number, isBrief: true), node.isTable == isTable,
                accepts(node.records)
            else {
                isWhole = false
                continue
            }
            taken.insert(number)
            if !node.records.isEmpty { numbers.append(number) }
            if !node.isWhole { isWhole = false }
            waiting += node.children.reversed()
        }
        return (numbers, isWhole)
    }

    /// Assigns pages that no tree reaches to the table that their values fit best.
    private mutating func recognizeOtherTables() {
        guard !partial.isEmpty else { return }
        let free = pages.freePages()
        let candidates = layouts.filter(\.isNumbered)
        for number in pages.numbers where !taken.contains(number) && !free.contains(number) && pages.isTableLeaf(number)
        {
            guard let node = pages.node(number, isBrief: true), let first = node.records.first else { continue }
            let fits = candidates.map { (layout: $0, fit: $0.fit(node.records), missing: $0.missing(first)) }
                .filter { $0.fit >= TableReader.minimumAlone }
                .sorted { ($0.fit, -$0.missing) > ($1.fit, -$1.missing) }
            guard let best = fits.first else { continue }
            if fits.count > 1, fits[1].fit == best.fit, fits[1].missing == best.missing { continue }
            taken.insert(number)
            found[best.layout.name, default: []].append(number)
        }
    }
}
