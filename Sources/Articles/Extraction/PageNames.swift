/// The meaning of an element's class and id, by the words that Readability looks for.
struct PageNames {
    struct Meaning {
        /// Whether it usually marks something beside an article.
        var isUnlikely = false
        /// Whether it may be an article nevertheless.
        var isPossible = false
        var isPositive = false
        var isNegative = false
        var isByline = false
        /// Whether it usually marks the caption of a picture, or the name of its photographer.
        var isCaption = false
        var isShare = false
    }

    private var known: [String: Meaning] = [:]

    /// Returns the meaning of a name, which is cached.
    mutating func meaning(_ name: String) -> Meaning {
        if name.isEmpty || name == " " { return Meaning() }
        if let meaning = known[name] { return meaning }
        let text = name.lowercased()
        func has(_ words: [[UInt8]]) -> Bool { WordSearch.contains(text, anyOf: words) }
        let meaning = Meaning(
            isUnlikely: has(PageNames.unlikely), isPossible: has(PageNames.possible),
            isPositive: has(PageNames.positive),
            isNegative: has(PageNames.negative) || text.split(separator: " ").contains("hid"),
            isByline: has(PageNames.byline), isCaption: has(PageNames.caption), isShare: PageNames.isShare(text))
        known[name] = meaning
        return meaning
    }

    /// Whether a text contains `share` or `sharedaddy` as a separate word.
    private static func isShare(_ text: String) -> Bool {
        text.split { !($0.isLetter || $0.isNumber) }.contains { $0 == "share" || $0 == "sharedaddy" }
    }

    private static let unlikely = WordSearch.words([
        "-ad-", "ai2html", "banner", "breadcrumb", "combx", "comment", "community", "cover-wrap", "disqus", "extra",
        "footer", "gdpr", "header", "legends", "menu", "related", "remark", "replies", "rss", "shoutbox", "sidebar",
        "skyscraper", "social", "sponsor", "supplemental", "ad-break", "agegate", "pagination", "pager", "popup",
        "yom-remote", "newsletter", "subscribe", "signup", "sign-up", "recirc", "trending", "recommended", "most-read",
        "mostread", "most-popular", "cookie", "consent",
    ])
    private static let possible = WordSearch.words([
        "and", "article", "body", "column", "content", "main", "mathjax", "shadow",
    ])
    private static let positive = WordSearch.words([
        "article", "body", "content", "entry", "hentry", "h-entry", "main", "page", "pagination", "post", "text",
        "blog", "story",
    ])
    private static let negative = WordSearch.words([
        "-ad-", "hidden", "banner", "combx", "comment", "com-", "contact", "footer", "gdpr", "masthead", "media",
        "meta", "outbrain", "promo", "related", "scroll", "share", "shoutbox", "sidebar", "skyscraper", "sponsor",
        "shopping", "tags", "widget",
    ])
    private static let caption = WordSearch.words(["caption", "credit", "copyright"])
    private static let byline = WordSearch.words(["byline", "author", "dateline", "writtenby", "p-author"])
}
