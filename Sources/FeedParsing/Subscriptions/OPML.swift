import WebAddresses

/// Reads OPML (opml.org/spec2.opml). Outlines with an `xmlUrl` are feeds, others are folders.
enum OPMLReader {
    static func read(_ utf8: [UInt8]) throws(SubscriptionListReader.NoList) -> SubscriptionListReading {
        let handler = OPMLHandler()
        let problems = XMLReader.read(utf8, into: handler)
        var result = handler
        if !problems.isEmpty {
            let loose = OPMLHandler()
            LooseXMLReader.read(utf8, into: loose)
            if loose.reading.subscriptions.count >= handler.reading.subscriptions.count { result = loose }
        }
        guard result.sawOPML || !result.reading.subscriptions.isEmpty else {
            throw SubscriptionListReader.NoList(description: "this is not OPML")
        }
        var reading = result.reading
        let own = reading.problems
        reading.problems = []
        for problem in problems + own { reading.report(problem) }
        return reading
    }
}

private final class OPMLHandler: MarkupHandler {
    private(set) var reading = SubscriptionListReading()
    var sawOPML = false
    /// The folders of open outlines, joined by slashes.
    private var open: [String] = []
    /// The open search folder of Liferea, with the depth of its outline.
    private var searchFolder: (folder: LifereaFolder, depth: Int)?

    func startElement(_ name: MarkupName, _ attributes: [MarkupAttribute]) {
        if name.local == "opml" { sawOPML = true }
        guard name.local == "outline" else { return }
        func text(_ key: String) -> String? { attributes.first { $0.name.local == key }?.value }
        func value(_ key: String) -> String? { text(key).flatMap(OPMLHandler.cleaned) }
        let title = ["title", "text"].lazy.compactMap { text($0).map(OPMLHandler.decoded).flatMap(OPMLHandler.cleaned) }
            .first
        if takeSearch(title ?? "", value) {
            open.append(folder)
            return
        }
        guard var url = value("xmlurl") ?? (value("type")?.lowercased() == "rss" ? value("url") : nil) else {
            open.append(folder(in: title ?? ""))
            return
        }
        open.append(folder)
        guard reading.hasRoom else { return }
        // Some programs escape addresses twice.
        url = url.replacing("&amp;", with: "&")
        // FreshRSS takes entries out of pages and of any JSON or XML by expressions.
        if let type = value("type"), ["xpath", "dotpath", "dotnotation"].contains(where: type.lowercased().contains) {
            let name = ImportedText.shown(title ?? url)
            return reading.report("'\(name)' is no feed: FreshRSS extracts its entries (\(ImportedText.shown(type)))")
        }
        if let user = value("username") {
            url = OPMLHandler.address(url, user: user, password: value("password") ?? "")
        }
        // Liferea passes such a feed through a program, as newsboat's filter: does.
        if let filter = value("filtercmd") { url = "filter:\(filter):\(url)" }
        let categories = (value("category") ?? "").split(separator: ",").map {
            // A category may be a path from the root (OPML 2.0).
            String($0.drop { $0 == " " || $0 == "/" }).trimmingBlanks
        }
        let feed = ListedSubscription(
            // A feed without a name is written with its address instead.
            url: url, title: title == url ? nil : title, homePage: value("htmlurl"),
            folder: folder.nonEmpty, tags: categories.filter { !$0.isEmpty })
        reading.add(feed)
    }

    func endElement(_ name: MarkupName) {
        guard name.local == "outline" else { return }
        _ = open.popLast()
        guard let (folder, depth) = searchFolder, open.count < depth else { return }
        searchFolder = nil
        switch folder.search {
        case .success(let query): reading.add(query)
        case .failure(let problem):
            let name = ImportedText.shown(folder.name)
            reading.report("the search folder '\(name)': \(ImportedText.shown(message: problem.description))")
        }
    }

    private static func cleaned(_ text: String) -> String? {
        Markup.collapseSpaces(OPMLWriter.withoutWhatXMLCannotHold(text)).nonEmpty
    }

    /// Decodes a name that a program has escaped twice, or three times.
    private static func decoded(_ text: String) -> String { Markup.decodeEntities(Markup.decodeEntities(text)) }

    private var folder: String { open.last ?? "" }

    /// Returns the folder of an outline within the current one, up to a length that is reported as too long.
    private func folder(in name: String) -> String {
        let path = folder.isEmpty || name.isEmpty ? folder + name : folder + "/" + name
        return ImportedText.limited(path, to: ImportedText.maximumName + 4)
    }

    /// Reads a search folder of Liferea or one of its rules, and returns whether the outline is one.
    private func takeSearch(_ title: String, _ value: (String) -> String?) -> Bool {
        switch value("type")?.lowercased() {
        case "vfolder":
            searchFolder = (LifereaFolder(name: title, matchType: value("matchtype")), open.count + 1)
        case "rule" where searchFolder != nil:
            searchFolder?.folder.add(
                rule: value("rule") ?? "", value: value("value") ?? "", isAdditive: value("additive") != "false")
        default: return false
        }
        return true
    }

    /// Returns an address with credentials, which the import stores outside the library.
    private static func address(_ url: String, user: String, password: String) -> String {
        guard let written = WrittenAddress(url), written.user == nil else { return url }
        let credentials = PercentEncoding.encoded(user) + ":" + PercentEncoding.encoded(password)
        return "\(written.scheme)://\(credentials)@\(written.afterScheme)"
    }
}

/// Writes OPML 2.0.
package enum OPMLWriter {
    /// Returns the document: feeds without a folder first, then folders in their order.
    ///
    /// - Parameter date: The current time in RFC 822 format.
    package static func write(_ subscriptions: [ListedSubscription], title: String, date: String) -> String {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <opml version="2.0">
              <head>
                <title>\(MarkupWriting.escaped(title))</title>
                <dateCreated>\(date)</dateCreated>
              </head>
              <body>

            """
        let root = Folder()
        for subscription in subscriptions {
            let path = (subscription.folder ?? "").split(separator: "/").map(String.init)
            root.folder(at: path[...]).feeds.append(subscription)
        }
        root.write(to: &text, indent: "    ")
        return text + "  </body>\n</opml>\n"
    }

    private final class Folder {
        var feeds: [ListedSubscription] = []
        var folders: [(name: String, folder: Folder)] = []
        private var places: [String: Folder] = [:]

        func folder(at path: ArraySlice<String>) -> Folder {
            guard let name = path.first else { return self }
            if let known = places[name] { return known.folder(at: path.dropFirst()) }
            let folder = Folder()
            places[name] = folder
            folders.append((name, folder))
            return folder.folder(at: path.dropFirst())
        }

        func write(to text: inout String, indent: String) {
            for feed in feeds {
                text += "\(indent)<outline type=\"rss\""
                for (key, value) in [
                    ("text", feed.title ?? feed.url), ("title", feed.title), ("xmlUrl", feed.url),
                    ("htmlUrl", feed.homePage),
                    ("category", feed.tags.isEmpty ? nil : feed.tags.joined(separator: ",")),
                ] {
                    if let value { text += " \(key)=\"\(OPMLWriter.attribute(value))\"" }
                }
                text += "/>\n"
            }
            for (name, folder) in folders {
                let label = OPMLWriter.attribute(name)
                text += "\(indent)<outline text=\"\(label)\" title=\"\(label)\">\n"
                folder.write(to: &text, indent: indent + "  ")
                text += "\(indent)</outline>\n"
            }
        }
    }

    private static func attribute(_ text: String) -> String { MarkupWriting.escaped(withoutWhatXMLCannotHold(text)) }

    /// Returns a text without characters that XML can't contain (XML 1.0, section 2.2). All white space stays.
    static func withoutWhatXMLCannotHold(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { scalar in
                    scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE || "\t\n\r".unicodeScalars.contains(scalar)
                }))
    }
}
