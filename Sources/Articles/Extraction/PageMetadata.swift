import Foundation
import WebAddresses

/// The metadata of a page: its `meta` elements, and schema.org's data in JSON-LD.
struct PageMetadata {
    /// The contents of `meta` elements by lower-case `property`, `name`, `itemprop` or `http-equiv`, the first of each.
    private(set) var values: [String: String] = [:]
    /// The data of schema.org articles on the page.
    private(set) var articles: [[String: Any]] = []
    private(set) var language: String?
    /// The address that the page states as its own.
    private(set) var address: String?
    /// The base of relative addresses, if it differs from the page's address.
    private(set) var base: String?
    private var documentTitle = ""
    private var headings: [String] = []
    private var mainHeadings: [String] = []

    private static let longest = 2_000
    /// The maximum number of headings to compare with the title. Headings in each other have the same text.
    static let maximumHeadings = 50

    init(_ tree: PageTree) {
        tree.visit(PageTree.root) { node in
            guard tree.isElement(node) else { return false }
            switch tree.tag(node) {
            case .html: language = tree.attribute("lang", node) ?? tree.attribute("xml:lang", node)
            case .title: if documentTitle.isEmpty { documentTitle = tree.text(node).singleSpaced }
            case .meta: take(tree, node)
            case .base: base = base ?? tree.attribute("href", node)
            case .link:
                if tree.attribute("rel", node)?.lowercased() == "canonical" {
                    address = address ?? tree.attribute("href", node)
                }
            case .script:
                if tree.attribute("type", node)?.lowercased().contains("ld+json") == true { takeFacts(tree.text(node)) }
                return false
            case .h1, .h2:
                guard headings.count < PageMetadata.maximumHeadings else { break }
                let text = tree.text(node)
                if tree.tag(node) == .h1 { mainHeadings.append(text.singleSpaced) }
                headings.append(text.trimmed)
            case .svg: return false
            default: break
            }
            return true
        }
        language = language.flatMap { $0.isEmpty ? nil : $0 } ?? values["content-language"] ?? values["language"]
        address = address ?? values["og:url"]
    }

    private mutating func take(_ tree: PageTree, _ node: PageTree.Node) {
        guard let content = tree.attribute("content", node) ?? tree.attribute("datetime", node), !content.isEmpty,
            content.utf8.count <= PageMetadata.longest
        else { return }
        for attribute in ["property", "name", "itemprop", "http-equiv", "pubdate"] {
            // An attribute may contain several names.
            for name in (tree.attribute(attribute, node) ?? "").lowercased().split(whereSeparator: \.isWhitespace)
            where values[String(name)] == nil {
                values[String(name)] = content.singleSpaced
            }
        }
    }

    // MARK: JSON-LD

    private mutating func takeFacts(_ text: String) {
        guard articles.count < 50, text.utf8.count <= 1 << 20 else { return }
        var text = text.trimmed
        if text.hasPrefix("<![CDATA[") { text = String(text.dropFirst(9)) }
        if text.hasSuffix("]]>") { text = String(text.dropLast(3)) }
        // Line breaks in strings are common, although JSON forbids them.
        let clean = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        if let value = try? JSONSerialization.jsonObject(with: Data(clean.utf8)) {
            gather(value, depth: 0)
        } else {
            takeDates(clean)
        }
    }

    /// Extracts dates from invalid JSON.
    private mutating func takeDates(_ text: String) {
        var facts: [String: Any] = [:]
        for key in ["datePublished", "dateModified"] {
            guard let name = text.range(of: "\"\(key)\"") else { continue }
            let value = text[name.upperBound...].drop { $0.isWhitespace || $0 == ":" }
            guard value.first == "\"" else { continue }
            facts[key] = String(value.dropFirst().prefix { $0 != "\"" }.prefix(100))
        }
        if !facts.isEmpty { articles.append(facts) }
    }

    private mutating func gather(_ value: Any, depth: Int) {
        guard depth < 6 else { return }
        if let list = value as? [Any] {
            for item in list.prefix(50) { gather(item, depth: depth + 1) }
        } else if let object = value as? [String: Any] {
            if PageMetadata.hasFacts(object) { articles.append(object) }
            for key in ["@graph", "mainEntity", "mainEntityOfPage", "itemListElement", "item"] {
                object[key].map { gather($0, depth: depth + 1) }
            }
        }
    }

    private static func types(_ object: [String: Any]) -> [String] {
        (object["@type"] as? String).map { [$0] } ?? object["@type"] as? [String] ?? []
    }

    private static func isArticle(type: String) -> Bool { type.hasSuffix("Article") || type.hasSuffix("Posting") }

    private static func hasFacts(_ object: [String: Any]) -> Bool {
        let types = types(object)
        if types.isEmpty, object["datePublished"] != nil { return true }
        return types.contains {
            isArticle(type: $0)
                || [
                    "Report", "APIReference", "WebPage", "VideoObject", "Recipe", "HowTo", "CreativeWork",
                    "PodcastEpisode",
                ].contains($0)
        }
    }

    /// Returns the first text under a key in the data of articles, then of pages.
    func fact(_ key: String) -> String? {
        func isPage(_ article: [String: Any]) -> Bool { article["@type"] as? String == "WebPage" }
        return (articles.filter { !isPage($0) } + articles.filter(isPage)).lazy.compactMap { $0[key] as? String }
            .map(\.singleSpaced).first { !$0.isEmpty }
    }

    var isArticle: Bool {
        values["og:type"] == "article"
            || articles.contains { PageMetadata.types($0).contains(where: PageMetadata.isArticle(type:)) }
    }

    private var authors: String? {
        for article in articles {
            guard let author = article["author"] else { continue }
            let list = author as? [Any] ?? [author]
            let names = list.compactMap { ($0 as? [String: Any])?["name"] as? String ?? $0 as? String }
                .map(\.singleSpaced).filter { !$0.isEmpty && !WebAddress.isWeb($0) }
            if !names.isEmpty { return names.joined(separator: ", ") }
        }
        return nil
    }

    private func value(_ names: String...) -> String? { names.lazy.compactMap { values[$0] }.first { !$0.isEmpty } }

    // MARK: What is asked for

    var byline: String? {
        let name =
            authors ?? value("dc.creator", "dc:creator", "dcterms.creator", "author", "parsely-author")
            ?? value("article:author").flatMap { WebAddress.isWeb($0) || $0.hasPrefix("/") ? nil : $0 }
        return name.map(\.withoutEntities)
    }

    var siteName: String? {
        let publisher = articles.lazy.compactMap { ($0["publisher"] as? [String: Any])?["name"] as? String }.first
        return (publisher ?? value("og:site_name")).map { $0.singleSpaced.withoutEntities }
    }

    var description: String { value("description", "og:description") ?? "" }

    var title: String {
        let told =
            factTitle
            ?? value(
                "dc:title", "dc.title", "dcterm:title", "og:title", "weibo:article:title", "title", "twitter:title",
                "parsely-title")
        return (told ?? cleanedTitle).singleSpaced.withoutEntities
    }

    private var factTitle: String? {
        for article in articles where article["@type"] as? String != "WebPage" {
            let name = (article["name"] as? String)?.singleSpaced
            let headline = (article["headline"] as? String)?.singleSpaced
            guard let name, let headline, name != headline else {
                if let title = name ?? headline, !title.isEmpty { return title }
                continue
            }
            func isLike(_ text: String) -> Bool { TextWords(text).similarity(of: cleanedTitle) > 0.75 }
            return isLike(headline) && !isLike(name) ? headline : name
        }
        return nil
    }

    private static let separators: Set<Character> = ["|", "-", "–", "—", "\\", "/", ">", "»"]

    /// The document's title without the name of the site.
    private var cleanedTitle: String {
        let whole = documentTitle
        func words(_ text: some StringProtocol) -> Int { text.split(whereSeparator: \.isWhitespace).count }
        var title = whole
        let parts = whole.split(separator: " ", omittingEmptySubsequences: false)
        let places = parts.indices.filter {
            parts[$0].count == 1 && PageMetadata.separators.contains(parts[$0].first ?? " ")
        }
        .filter { $0 > 0 && $0 + 1 < parts.count }
        if let last = places.last {
            title = parts[..<last].joined(separator: " ")
            if words(title) < 3, let first = places.first { title = parts[(first + 1)...].joined(separator: " ") }
        } else if whole.contains(": "), !headings.contains(whole) {
            let colons = whole.indices.filter { whole[$0] == ":" }
            if let last = colons.last, let first = colons.first {
                title = String(whole[whole.index(after: last)...])
                if words(title) < 3 {
                    title = String(whole[whole.index(after: first)...])
                } else if words(whole[..<first]) > 5 {
                    title = whole
                }
            }
        } else if whole.count > 150 || whole.count < 15, mainHeadings.count == 1 {
            title = mainHeadings[0]
        }
        title = title.singleSpaced
        let isHierarchical = places.contains { ["\\", "/", ">", "»"].contains(parts[$0]) }
        if words(title) <= 4, !isHierarchical || words(title) != words(whole) - places.count - 1 { return whole }
        return title
    }
}

extension String {
    /// The text with white space collapsed and trimmed.
    var singleSpaced: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }

    /// The text with XML entities decoded, because many pages escape them twice.
    var withoutEntities: String {
        guard contains("&") else { return self }
        var text = self
        for (entity, sign) in [
            ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&#039;", "'"), ("&lt;", "<"), ("&gt;", ">"),
            ("&amp;", "&"),
        ] {
            text = text.replacingOccurrences(of: entity, with: sign)
        }
        return text
    }
}
