import FeedParsing

/// The publish date of a page, or the date of its last change, as the page states it.
///
/// Sources are schema.org's `datePublished` (JSON-LD, attributes), `meta` elements with common names (Open Graph,
/// Dublin Core and those of publishing systems), the page's address, HTML's `time`, text near the title that looks like a
/// date or is labelled as one, and the data of scripts.
package struct PageDate: Hashable, Sendable {
    /// The date as the page wrote it.
    package var text: String
    /// The day as written, or `nil` if ``text`` can't be parsed.
    package var day: CalendarDay?
    /// Whether the page only shows the date, or has it in its address, without marking it as the publish date.
    package var isGuessed: Bool
}

struct PageDateSearch {
    fileprivate let tree: PageTree
    fileprivate let metadata: PageMetadata
    fileprivate let titleWords: TextWords
    private let address: String?
    private(set) var published: PageDate?
    private(set) var updated: PageDate?

    private static let longest = 64
    /// If the stated date and the one in the address are more days apart, the stated one is that of something else, such as
    /// the site.
    private static let distant = 60

    init(_ tree: PageTree, _ metadata: PageMetadata, address: String?) {
        self.tree = tree
        self.metadata = metadata
        titleWords = TextWords(metadata.title)
        self.address = address
        let marked = markedDates()
        published = findPublished(marked.published)
        updated = date(metadata.fact("dateModified")) ?? date(of: PageDateSearch.updatedNames) ?? marked.updated
    }

    /// The names of `meta` elements, most reliable first.
    private static let publishedNames = [
        "article:published_time", "article:published", "article:published_date", "article:publicationdate",
        "article:post_date", "datepublished", "og:article:published_time", "og:article:published", "og:published_time",
        "og:datepublished", "og:pubdate", "og:publish_date", "og:regdate", "article.published", "date_published",
        "published_time", "published-date", "published_date", "publisheddate", "publish-date", "publish_date",
        "publishdate", "publication_date", "publicationdate", "originalpublicationdate", "pubdate", "parsely-pub-date",
        "sailthru.date", "bt:pubdate", "rbpubdate", "dc.date.issued", "dcterms.issued", "dc.date.published",
        "dc.date.publication", "dcterms.created", "dc.date.created", "dc.created", "dc:created",
        "citation_publication_date", "citation_date", "citation_online_date", "rnews:datepublished",
        "shareaholic:article_published_time", "vr:published_time", "video:release_date", "cxenseparse:recs:publishtime",
        "mediator_published_time", "twt-published-at", "analyticsattributes.articledate", "article_date_original",
        "article.created", "dateposted", "datecreated", "date_created", "date-created", "content_create_date",
        "created", "displaydate", "doc_date", "gentime", "pdate", "ptime", "publish_time",
    ]

    /// The names of `meta` elements whose date may also be that of the last change.
    private static let generalNames = ["dcterms.date", "dc.date", "dc:date", "date", "timestamp"]

    /// The letters of names that only publish dates have, for the data of scripts and names with a site's own prefix.
    private static let publishedKeys: Set<String> = [
        "published", "publishedat", "publishedon", "publishedtime", "publisheddate", "datepublished", "publishdate",
        "publishtime", "publicationdate", "pubdate", "uploaded",
    ]

    private static let updatedNames = [
        "article:modified_time", "article:modified", "og:updated_time", "og:modified_time", "og:article:modified_time",
        "datemodified", "dc.modified", "dcterms.modified", "dc.date.modified", "lastmod", "last-modified",
        "lastmodified", "modified_time", "updated_time", "revision_date", "bt:moddate",
    ]

    // MARK: Reading

    /// Returns a date if the text contains nothing else.
    private func date(_ text: String?, isGuessed: Bool = false) -> PageDate? {
        guard let text = text?.trimmed, !text.isEmpty, text.utf8.count <= PageDateSearch.longest,
            let day = PageDateSearch.day(text, isMonthFirst), isPlausible(day)
        else { return nil }
        return PageDate(text: text, day: day, isGuessed: isGuessed)
    }

    private func isPlausible(_ day: CalendarDay) -> Bool { (1990...2100).contains(day.year) }

    private var isMonthFirst: Bool {
        let language = metadata.language?.lowercased() ?? ""
        return language == "en" || language.hasPrefix("en-us") || language.hasPrefix("en_us")
    }

    static func day(_ text: String, _ isMonthFirst: Bool) -> CalendarDay? {
        if let day = DateFinder.first(in: String(text.prefix(10)), isMonthFirst: isMonthFirst) { return day }
        if let day = DateFinder.first(in: text, isMonthFirst: isMonthFirst) { return day }
        // Times, epochs, and dates in other orders.
        guard let instant = DateParser.parse(text) else { return nil }
        return CalendarDay(instant: instant)
    }

    // MARK: Published

    private func findPublished(_ marked: [PageDate]) -> PageDate? {
        let inAddress = [address, metadata.address].lazy.compactMap { $0 }
            .compactMap { DateFinder.first(inAddress: $0) }.first
        lazy var shown = shownDates()
        lazy var near = shown.prefix { $0.distance <= PageDateSearch.near }
        lazy var beside = near.first?.date ?? dateInText(isNear: true)
        // Of several marked days, those of other articles are far from the title.
        func own(_ marked: [PageDate]) -> PageDate? {
            guard Set(marked.map(\.day)).count > 1, let date = near.first?.date else { return marked.first }
            return marked.first { mark in near.contains { $0.date.day == mark.day } } ?? date
        }
        let stated = date(metadata.fact("datePublished")) ?? date(of: PageDateSearch.publishedNames)
        let general = date(of: PageDateSearch.generalNames)
        if let told = stated ?? general ?? own(marked) {
            let ordered = reordered(told) { inAddress ?? beside?.day }
            let date = localized(ordered, inAddress) { shown.first?.date.day }
            guard let day = date.day else { return date }
            if let inAddress {
                guard abs(inAddress.number - day.number) > PageDateSearch.distant else { return date }
                return PageDate(text: inAddress.text, day: inAddress, isGuessed: true)
            }
            guard stated == nil, general != nil, let shown = beside, let first = shown.day, first < day,
                day.number - first.number <= PageDateSearch.distant
            else { return date }
            return shown
        }
        if let inAddress { return PageDate(text: inAddress.text, day: inAddress, isGuessed: true) }
        if let date = date(metadata.fact("dateCreated") ?? metadata.fact("uploadDate")) { return date }
        return beside ?? labelledDate() ?? shown.first?.date ?? found(in: metadata.title) ?? dateInText()
            ?? found(in: metadata.description) ?? dateInData()
    }

    /// Swaps day and month, as of `9/5/2010`, if that results in the day in the address or on the page.
    private func reordered(_ date: PageDate, _ shown: () -> CalendarDay?) -> PageDate {
        guard date.text.contains("/"), let other = PageDateSearch.day(date.text, !isMonthFirst), other != date.day,
            other == shown()
        else { return date }
        return PageDate(text: date.text, day: other, isGuessed: date.isGuessed)
    }

    /// Corrects a time in UTC that falls on another day for its authors: if the date in the address or on the page is a
    /// neighbouring day, that is used.
    private func localized(_ date: PageDate, _ inAddress: CalendarDay?, _ shown: () -> CalendarDay?) -> PageDate {
        let isUTC = date.text.hasSuffix("Z") || date.text.hasSuffix("+00:00") || date.text.hasSuffix("+0000")
        guard isUTC, date.text.contains(":"), let day = date.day, let near = inAddress ?? shown(), near != day,
            abs(near.number - day.number) == 1
        else { return date }
        return PageDate(text: date.text, day: near, isGuessed: date.isGuessed)
    }

    /// Returns the date of the first `meta` element that has one.
    private func date(of names: [String]) -> PageDate? { names.lazy.compactMap { date(metadata.values[$0]) }.first }

    /// Returns the dates in markup. Those of other articles on the page may be among them.
    private func markedDates() -> (published: [PageDate], updated: PageDate?) {
        var published: [PageDate] = []
        var updated: PageDate?
        tree.visit(PageTree.root) { node in
            guard tree.isElement(node) else { return false }
            let tag = tree.tag(node)
            if tag == .script || tag == .style { return false }
            let isMarked = tree[node].attributes.contains {
                $0.name == "itemprop" || $0.name == "pubdate" || $0.name == "property"
            }
            guard tag == .time || isMarked else { return true }
            let property = ((tree.attribute("itemprop", node) ?? "") + " " + (tree.attribute("property", node) ?? ""))
                .lowercased()
            let names = (tree.attribute("class", node) ?? "").lowercased()
            func value() -> PageDate? {
                date(tree.attribute("datetime", node)) ?? date(tree.attribute("content", node))
                    ?? date(tree.attribute("title", node)) ?? found(in: node, isGuessed: false)
            }
            if property.contains("datemodified")
                || tag == .time
                    && (names.contains("updated") && !names.contains("published") || names.contains("modified"))
            {
                updated = updated ?? value()
            } else if property.contains("datepublished") || property.contains("datecreated")
                || tree.attribute("pubdate", node) != nil
                || tag == .time && (names.contains("publish") || names.contains("entry-date"))
            {
                if published.count < PageDateSearch.maximumMarks, let date = value() { published.append(date) }
            }
            return true
        }
        return (published, updated)
    }

    fileprivate func found(in node: PageTree.Node, isGuessed: Bool) -> PageDate? {
        found(in: tree.text(node).singleSpaced, isGuessed: isGuessed)
    }

    fileprivate func found(in text: String, isGuessed: Bool = true) -> PageDate? {
        guard let day = DateFinder.first(in: text, isMonthFirst: isMonthFirst), isPlausible(day) else { return nil }
        return PageDate(
            text: text.utf8.count <= PageDateSearch.longest ? text : day.text, day: day, isGuessed: isGuessed)
    }

    // MARK: Shown

    private static let names = WordSearch.words([
        "date", "datum", "fecha", "time", "publish", "posted", "post-meta", "post_meta", "entry-meta", "entry_meta",
        "meta", "byline", "dateline", "created", "submitted", "tarih", "pubdate", "info", "author",
    ])
    private static let others = WordSearch.words(["comment", "sidebar", "related"])
    private static let foreign = others + WordSearch.words(["footer"])
    /// The maximum length of a text that may be a date with a few words.
    private static let longestShown = 160
    /// The maximum number of elements between the title and its date.
    private static let near = 20
    /// The maximum number of marked or labelled dates to compare.
    private static let maximumMarks = 50

    private typealias ShownDate = (distance: Int, date: PageDate)

    /// Finds the heading that repeats the page's title: the longest one made up of words from the title, or else the first
    /// `h1`.
    fileprivate struct TitlePlace {
        private var similar: (place: Int, length: Int)?
        private var first: Int?
        private var count = 0

        var place: Int? { similar?.place ?? first }

        mutating func look(at heading: PageTree.Node, _ place: Int, in search: PageDateSearch) {
            count += 1
            guard count <= PageMetadata.maximumHeadings else { return }
            let text = search.tree.text(heading).trimmed
            guard !text.isEmpty else { return }
            if search.titleWords.similarity(of: text) > 0.75 {
                if text.utf8.count > similar?.length ?? 0 { similar = (place, text.utf8.count) }
            } else if first == nil, search.tree.tag(heading) == .h1 {
                first = place
            }
        }
    }

    /// Returns the dates shown in elements that are named for them, nearest to the title first, preferably after it.
    private func shownDates() -> [ShownDate] {
        var order = 0
        var title = TitlePlace()
        var candidates: [(place: Int, date: PageDate)] = []
        tree.visit(PageTree.root) { node in
            guard tree.isElement(node) else { return false }
            order += 1
            let tag = tree.tag(node)
            switch tag {
            case .script, .style, .noscript, .footer, .nav, .aside, .head, .blockquote: return false
            case .h1, .h2: title.look(at: node, order, in: self)
            default: break
            }
            let names = tree.names(node).lowercased()
            if WordSearch.contains(names, anyOf: PageDateSearch.foreign) { return false }
            guard candidates.count < 200 else { return false }
            let isTime = tag == .time
            guard isTime || tag == .abbr || WordSearch.contains(names, anyOf: PageDateSearch.names),
                tree.length(node) <= PageDateSearch.longestShown
            else { return true }
            let told = date(tree.attribute(isTime ? "datetime" : "title", node), isGuessed: true)
            guard let date = told ?? found(in: node, isGuessed: true) else { return true }
            candidates.append((order, date))
            return false
        }
        guard let titlePlace = title.place else { return candidates.map { (Int.max, $0.date) } }
        // The date is usually below the title. One above it must be much nearer.
        func distance(_ place: Int) -> Int { place > titlePlace ? place - titlePlace : (titlePlace - place) * 20 }
        return candidates.map { (distance($0.place), $0.date) }.sorted { $0.0 < $1.0 }
    }
}

extension PageDateSearch {
    /// The numbers of texts to examine after and before the title.
    private static let textsAfter = 60
    private static let textsBefore = 4
    /// The number of texts after the title whose dates are beside it.
    private static let textsNear = 5
    /// The maximum length of a text that is hardly more than a date.
    private static let shortText = 60

    /// The maximum number of bytes of a script that are searched for a date.
    private static let longestScript = 256 << 10

    /// The number of characters at the start of a longer text that are searched for a date.
    private static let longestPrefix = 30

    /// Words, in lower case, that say that a date is the publish date.
    private static let published = WordSearch.words([
        "published", "posted on", "publication date", "date of publication", "veröffentlicht", "erschienen am",
        "erscheinungsdatum", "erstellt am", "publié", "date de publication", "publicado", "fecha de publicación",
        "pubblicato", "data di pubblicazione", "gepubliceerd", "geplaatst", "publicerad", "publiceret", "publisert",
        "julkaistu", "opublikowan", "publikováno", "опубликован", "yayın tarihi",
    ])
    /// Labels whose date is in the next text.
    private static let labels: Set<String> = ["date", "datum", "fecha", "data", "dato", "дата", "tarih", "日付"]

    /// Returns the date in a short text that calls it the publish date, or behind such a label or the author's link. Of
    /// several days, as in lists of articles, none is the page's.
    private func labelledDate() -> PageDate? {
        var dates: [PageDate] = []
        var isAfterLabel = false
        var smallPrint = PageTree.none
        tree.visit(PageTree.root) { node in
            guard dates.count < PageDateSearch.maximumMarks else { return false }
            guard !tree.isElement(node) else {
                switch tree.tag(node) {
                case .script, .style, .noscript, .nav, .head, .blockquote, .select, .button: return false
                default: break
                }
                let names = tree.names(node).lowercased()
                if WordSearch.contains(names, anyOf: PageDateSearch.names) { smallPrint = node }
                return !WordSearch.contains(names, anyOf: PageDateSearch.others)
            }
            let length = tree[node].measure.length
            guard length > 0 else { return false }
            let isInPrint = tree.ancestors(node, maximum: 2).contains(smallPrint)
            guard length <= (isInPrint ? PageDateSearch.longestShown : PageDateSearch.shortText) else {
                isAfterLabel = false
                return false
            }
            let text = tree[node].text.singleSpaced
            let label = text.lowercased().filter { $0 != ":" }
            let previous = tree[node].previous
            let isAfterAuthor = previous != PageTree.none && tree.attribute("rel", previous) == "author"
            let isLabelled = WordSearch.contains(label, anyOf: PageDateSearch.published)
            if isLabelled || (isAfterLabel || isAfterAuthor) && text.count(where: \.isLetter) <= 20 {
                if let date = found(in: text) { dates.append(date) }
            }
            isAfterLabel = isLabelled || PageDateSearch.labels.contains(label)
            return false
        }
        return Set(dates.map(\.day)).count == 1 ? dates.first : nil
    }

    /// Returns the publish date in `meta` elements with names of the site's own, or in the data of scripts if they have only
    /// one.
    private func dateInData() -> PageDate? {
        func isPublished(_ name: some StringProtocol) -> Bool {
            PageDateSearch.publishedKeys.contains(name.lowercased().filter(\.isLetter))
        }
        for name in metadata.values.keys.sorted() where isPublished(name.split { ":.".contains($0) }.last ?? "") {
            if let date = date(metadata.values[name], isGuessed: true) { return date }
        }
        var result: PageDate?
        for script in tree.all(PageTree.root, .script)
        where tree.attribute("type", script)?.lowercased().contains("ld+json") != true {
            let parts = tree.text(script).utf8.prefix(PageDateSearch.longestScript).split { "\"'\\".utf8.contains($0) }
            for index in parts.indices.dropLast(2)
            where parts[index].count <= 20 && parts[index + 1].allSatisfy({ " :".utf8.contains($0) }) {
                guard isPublished(Substring(parts[index])), parts[index + 2].count <= PageDateSearch.longest,
                    let date = found(in: String(Substring(parts[index + 2])))
                else { continue }
                guard result == nil || result?.day == date.day else { return nil }
                result = date
            }
        }
        return result
    }

    /// Returns the date nearest to the title that stands alone or starts a text, or else the first date on the page that
    /// stands alone.
    ///
    /// - Parameter isNear: Whether the date must be in one of the few texts around the title.
    private func dateInText(isNear: Bool = false) -> PageDate? {
        var texts: [PageTree.Node] = []
        var title = TitlePlace()
        tree.visit(PageTree.root) { node in
            guard tree.isElement(node) else {
                if tree[node].measure.length > 0 { texts.append(node) }
                return false
            }
            switch tree.tag(node) {
            case .script, .style, .noscript, .footer, .nav, .aside, .head, .select, .button: return false
            case .h1, .h2: title.look(at: node, texts.count, in: self)
            default: break
            }
            return true
        }
        if let place = title.place {
            let behind = texts.dropFirst(isNear ? place + 1 : place)
                .prefix(isNear ? PageDateSearch.textsNear : PageDateSearch.textsAfter)
            let before = texts.prefix(place).suffix(PageDateSearch.textsBefore).reversed()
            for node in Array(behind) + Array(before) {
                let text = tree[node].text.singleSpaced
                // A long text may begin with a date.
                let isShort = text.count <= PageDateSearch.shortText
                if isNear, !PageDateSearch.isHardlyMoreThanADate(text), !(isShort && text.first?.isNumber == true) {
                    continue
                }
                if let date = found(in: isShort ? text : String(text.prefix(PageDateSearch.longestPrefix))) {
                    return date
                }
            }
        }
        if isNear { return nil }
        return texts.lazy.map { tree[$0].text.singleSpaced }.filter(PageDateSearch.isHardlyMoreThanADate)
            .compactMap { found(in: $0) }.first
    }

    /// Whether a text is so short, with so few letters, that it can say little more than a date.
    private static func isHardlyMoreThanADate(_ text: String) -> Bool {
        text.utf8.count <= 40 && text.count(where: \.isNumber) >= 5 && text.count(where: \.isLetter) <= 20
    }
}
