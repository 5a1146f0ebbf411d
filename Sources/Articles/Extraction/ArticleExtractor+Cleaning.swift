import Platform

/// Removes everything from an article that is not part of it.
extension ArticleExtractor {
    mutating func clean(_ article: PageTree.Node) {
        findDataTables(article)
        restoreLazyImages(article)
        cleanConditionally(article, .form)
        cleanConditionally(article, .fieldset)
        remove(tree.all(article, .object, .embed).filter { !isVideo($0) })
        remove(tree.all(article, .footer, .link, .aside))
        for top in tree.elements(article) {
            var shares: [PageTree.Node] = []
            tree.visit(top) { node in
                guard node != top, tree.isElement(node) else { return true }
                guard meaning(node).isShare, tree.length(node) < ArticleExtractor.sufficient else { return true }
                shares.append(node)
                return false
            }
            remove(shares)
        }
        remove(tree.all(article, .iframe).filter { !isVideo($0) })
        remove(tree.all(article, .input, .textarea, .select, .button))
        for heading in tree.all(article, .h1, .h2) where weight(heading) < 0 { tree.remove(heading) }
        cleanConditionally(article, .table)
        cleanConditionally(article, .ul)
        cleanConditionally(article, .div)
        for heading in tree.all(article, .h1) { tree[heading].tag = .h2 }
        for paragraph in tree.all(article, .p).reversed()
        where tree.isBlank(paragraph) && tree.all(paragraph, .img, .embed, .object, .iframe).isEmpty {
            tree.remove(paragraph)
        }
        for br in tree.all(article, .br) {
            if tree.has(.p, at: tree.skippingBlanks(tree[br].next)) { tree.remove(br) }
        }
        for table in tree.all(article, .table) { unwrap(table) }
    }

    private mutating func remove(_ nodes: [PageTree.Node]) {
        for node in nodes { tree.remove(node) }
    }

    /// Replaces a table with a single cell by the cell's content.
    private mutating func unwrap(_ table: PageTree.Node) {
        let body = tree.single(.tbody, in: table) ?? table
        guard let row = tree.single(.tr, in: body), let cell = tree.single(.td, in: row) else { return }
        tree[cell].tag = tree.children(cell).allSatisfy(tree.isPhrasing) ? .p : .div
        tree.replace(table, with: cell)
    }

    private static let videoHosts = WordSearch.words([
        "//dailymotion.com", "//www.dailymotion.com", "//youtube.com", "//www.youtube.com", "//youtube-nocookie.com",
        "//www.youtube-nocookie.com", "//player.vimeo.com", "//v.qq.com", "//bilibili.com", "//live.bilibili.com",
        "//archive.org", "//upload.wikimedia.org", "//player.twitch.tv",
    ])

    /// Whether an embedded page is a video of a known site.
    private func isVideo(_ node: PageTree.Node) -> Bool {
        tree[node].attributes.contains { WordSearch.contains($0.value, anyOf: ArticleExtractor.videoHosts) }
    }

    // MARK: Tables and pictures

    private mutating func findDataTables(_ article: PageTree.Node) {
        var found: [PageTree.Node: TableParts] = [:]
        // Inner tables come first, so that each node is looked at for one table.
        for table in tree.all(article, .table).reversed() {
            let parts = parts(of: table, found)
            found[table] = parts
            if isDataTable(table, parts) { dataTables.insert(table) }
        }
    }

    /// What tells a table with data from one that only arranges a page.
    private struct TableParts {
        var caption: PageTree.Node?
        var hasHeadings = false
        var hasTables = false
    }

    /// - Parameter inner: The parts of the tables in it.
    private func parts(of table: PageTree.Node, _ inner: [PageTree.Node: TableParts]) -> TableParts {
        var parts = TableParts()
        tree.visit(table) { node in
            guard node != table, tree.isElement(node) else { return true }
            switch tree.tag(node) {
            case .caption: parts.caption = parts.caption ?? node
            case .col, .colgroup, .tfoot, .thead, .th: parts.hasHeadings = true
            case .table:
                let inner = inner[node]
                parts.caption = parts.caption ?? inner?.caption
                parts.hasHeadings = parts.hasHeadings || inner?.hasHeadings == true
                parts.hasTables = true
                return false
            default: break
            }
            return true
        }
        return parts
    }

    private func isDataTable(_ table: PageTree.Node, _ parts: TableParts) -> Bool {
        if tree.attribute("role", table) == "presentation" || tree.attribute("datatable", table) == "0" { return false }
        if tree.attribute("summary", table)?.isEmpty == false { return true }
        if let caption = parts.caption, tree[caption].first != PageTree.none { return true }
        if parts.hasHeadings { return true }
        if parts.hasTables { return false }
        let rows = tree.all(table, .tr)
        let height = rows.reduce(0) { $0 + max(1, number(tree.attribute("rowspan", $1))) }
        let width =
            rows.map { tree.all($0, .td).reduce(0) { $0 + max(1, number(tree.attribute("colspan", $1))) } }.max() ?? 0
        if width == 1 || height == 1 { return false }
        return height >= 10 || width > 4 || height * width > 10
    }

    private func number(_ text: String?) -> Int { min(1000, text.flatMap { Int($0) } ?? 0) }

    /// Sets the addresses of pictures that a script would load, which are in other attributes.
    private mutating func restoreLazyImages(_ article: PageTree.Node) {
        for image in tree.all(article, .img, .picture, .figure) {
            let source = tree.attribute("src", image) ?? ""
            let isTiny = source.hasPrefix("data:") && source.utf8.count < 200 && !source.contains("svg")
            let others = tree[image].attributes.filter { $0.name != "src" && $0.name != "srcset" && $0.name != "alt" }
            if isTiny, others.contains(where: { ArticleExtractor.isPictureName($0.value) }) {
                tree[image].attributes.removeAll { $0.name == "src" }
            }
            let hasSource =
                tree.attribute("src", image)?.isEmpty == false || tree.attribute("srcset", image)?.isEmpty == false
            let isLazy = tree.attribute("class", image)?.lowercased().contains("lazy") == true
            if hasSource, !isLazy { continue }
            for attribute in others where ArticleExtractor.isPictureName(attribute.value) {
                let value = attribute.value.trimmed
                let name = value.contains(" ") ? "srcset" : "src"
                switch tree.tag(image) {
                case .img, .picture: tree.setAttribute(name, value, image)
                default:
                    guard tree.all(image, .img, .picture).isEmpty else { continue }
                    let new = tree.makeElement(.img)
                    tree.setAttribute(name, value, new)
                    tree.append(new, to: image)
                }
            }
        }
    }

    // MARK: What looks like no text

    private mutating func cleanConditionally(_ article: PageTree.Node, _ tag: HTMLTag) {
        guard rules.contains(.cleans) else { return }
        for node in tree.all(article, tag).reversed() where isNoText(node, tag) { tree.remove(node) }
    }

    private static let headings: Set<HTMLTag> = [.h1, .h2, .h3, .h4, .h5, .h6]
    private static let textual: Set<HTMLTag> = [
        .span, .li, .td, .blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul,
    ]

    private mutating func isNoText(_ node: PageTree.Node, _ tag: HTMLTag) -> Bool {
        let measure = tree.measure(node)
        var isList = tag == .ul
        if !isList, measure.length > 0 {
            let lists = tree.all(node, .ul, .ol).reduce(0) { $0 + tree.length($1) }
            isList = Double(lists) / Double(measure.length) > 0.9
        }
        if dataTables.contains(node) || tree.isInside(node, .table, levels: .max, where: dataTables.contains) {
            return false
        }
        if tree.isInside(node, .code) { return false }
        if tree.all(node, .table).contains(where: dataTables.contains) { return false }
        let weight = weight(node)
        if weight < 0 { return true }
        guard measure.commas < 10 else { return false }
        let embeds = tree.all(node, .object, .embed, .iframe)
        if embeds.contains(where: isVideo) { return false }
        if isAdvertisement(node, measure.length) { return true }

        let paragraphs = tree.count(node, .p)
        let images = tree.count(node, .img)
        let items = tree.count(node, .li) - 100
        let inputs = tree.count(node, .input)
        let density = tree.linkDensity(node)
        let isInFigure = tree.isInside(node, .figure)
        var isNone = !isInFigure && images > 1 && Double(paragraphs) / Double(images) < 0.5
        isNone = isNone || !isList && items > paragraphs
        isNone = isNone || inputs > paragraphs / 3
        isNone =
            isNone
            || !isList && !isInFigure && measure.length < 25 && (images == 0 || images > 2) && density > 0
                && tree.density(node, of: ArticleExtractor.headings) < 0.9
        isNone = isNone || !isList && weight < 25 && density > 0.2
        isNone = isNone || weight >= 25 && density > 0.5
        isNone = isNone || embeds.count == 1 && measure.length < 75 || embeds.count > 1
        isNone = isNone || images == 0 && tree.density(node, of: ArticleExtractor.textual) == 0
        guard isNone, isList else { return isNone }
        // A gallery in a list stays.
        if tree.elements(node).contains(where: { tree.elements($0).count > 1 }) { return true }
        return images != tree.count(node, .li)
    }

    private static let advertisements: Set<String> = [
        "ad", "ads", "advertising", "advertisement", "pub", "publicité", "werb", "werbung", "广告", "реклама", "anuncio",
        "loading", "正在加载", "загрузка", "chargement", "cargando",
    ]

    /// Whether a text marks an advertisement or a loading placeholder.
    private func isAdvertisement(_ node: PageTree.Node, _ length: Int) -> Bool {
        guard length > 0, length <= 20 else { return false }
        let text = tree.text(node).trimmed.lowercased()
        return ArticleExtractor.advertisements.contains(
            String(text.reversed().drop { $0 == "." || $0 == "…" }.reversed()))
    }
}
