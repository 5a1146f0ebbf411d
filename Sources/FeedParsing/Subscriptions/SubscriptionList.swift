/// A feed in a list of subscriptions that is exchanged with another program.
package struct ListedSubscription: Hashable, Sendable {
    package var url: String
    /// The name that the user gave it.
    package var title: String?
    package var homePage: String?
    /// The folders that contain it, outermost first, separated by slashes.
    package var folder: String?
    package var tags: [String]
    /// Whether it is hidden from lists (newsboat's `!`).
    package var isHidden = false

    package init(url: String, title: String? = nil, homePage: String? = nil, folder: String? = nil, tags: [String] = [])
    {
        self.url = url
        self.title = title
        self.homePage = homePage
        self.folder = folder
        self.tags = tags
    }
}

/// A search saved in newsboat (`query:NAME:FILTER`), or a search folder of Liferea.
package struct ListedQuery: Hashable, Sendable {
    package var name: String
    /// The filter in newsboat's language; empty if there is a query.
    package var filter = ""
    /// The query in tappa's language.
    package var query: String?

    /// Returns a value for a query in quotation marks. Those in the value become spaces, even with a combining mark.
    package static func quoted(_ value: String) -> String {
        let scalars = value.unicodeScalars.map { $0 == "\"" ? " " : $0 }
        return "\"" + String(String.UnicodeScalarView(scalars)) + "\""
    }
}

/// The content of a list of subscriptions.
package struct SubscriptionListReading: Hashable, Sendable {
    package var subscriptions: [ListedSubscription] = []
    /// The searches saved in newsboat.
    package var queries: [ListedQuery] = []
    package var problems: [FeedProblem] = []

    /// The maximum number of feeds in a list.
    static let maximumFeeds = 100_000

    init() {}

    /// Whether another feed can be added. Reports the first that can't.
    var hasRoom: Bool {
        mutating get {
            guard subscriptions.count >= SubscriptionListReading.maximumFeeds else { return true }
            let problem = FeedProblem("only the first \(SubscriptionListReading.maximumFeeds) feeds were read")
            if problems.last?.description != problem.description { problems.append(problem) }
            return false
        }
    }
}

/// Reads lists of subscriptions: OPML, newsboat's `urls` and newsraft's `feeds` file, recognised by content.
package enum SubscriptionListReader {
    /// The reason why nothing could be read.
    package struct NoList: Error, CustomStringConvertible {
        package var description: String
    }

    /// Parses a document.
    ///
    /// - Throws: ``NoList`` if it isn't a list of subscriptions.
    package static func read(_ bytes: [UInt8]) throws(NoList) -> SubscriptionListReading {
        let document = TextDecoding.decode(bytes, contentType: nil)
        guard let first = document.utf8.first(where: { !$0.isBlank }) else {
            throw NoList(description: "the file is empty")
        }
        if first == UInt8(ascii: "<") { return try OPMLReader.read(document.utf8) }
        return try LineListReader.read(String(decoding: document.utf8, as: UTF8.self))
    }
}

/// Reads newsboat's and newsraft's files: a feed on each line with address, names and tags.
struct LineListReader {
    /// The schemes of addresses that can be imported.
    private static let known = ["http://", "https://", "file://", "feed://", "exec:", "filter:"]

    /// Newsraft's file has sections, and names in place of newsboat's tags.
    private let isNewsraft: Bool
    private var section: String?
    private var reading = SubscriptionListReading()
    /// The indexes of the feeds by address.
    private var places: [String: Int] = [:]

    private init(_ text: String) {
        isNewsraft = ["@", "$("].contains { text.hasPrefix($0) || text.contains("\n" + $0) }
    }

    static func read(_ text: String) throws(SubscriptionListReader.NoList) -> SubscriptionListReading {
        var reader = LineListReader(text)
        var rest = Substring(text)
        var number = 0
        while !rest.isEmpty {
            // Line by line, because splitting the whole file would take several times its size.
            let line = rest.prefix { $0 != "\n" && $0 != "\r\n" }
            rest = rest[line.endIndex...].dropFirst()
            number += 1
            let trimmed = String(line).trimmingBlanks
            guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { continue }
            guard reader.reading.hasRoom else { break }
            reader.read(trimmed, number)
        }
        let reading = reader.reading
        guard !reading.subscriptions.isEmpty || !reading.problems.isEmpty || !reading.queries.isEmpty else {
            throw SubscriptionListReader.NoList(description: "no feeds found")
        }
        if reading.subscriptions.isEmpty, reading.queries.isEmpty {
            throw SubscriptionListReader.NoList(description: "this is neither OPML nor a list of addresses")
        }
        return reading
    }

    private mutating func read(_ line: String, _ number: Int) {
        if line.hasPrefix("@") {
            let (name, settings) = LineListReader.settings(String(line.dropFirst()))
            // The settings of this section apply to all feeds, and its feeds belong to no other.
            section = name == "Global" ? nil : name.nonEmpty
            return note(settings, of: name, line: number)
        }
        let (entry, settings) = isNewsraft ? LineListReader.settings(line) : (line, nil)
        let fields = isNewsraft ? LineListReader.newsraftFields(entry) : LineListReader.fields(entry)
        note(settings, of: fields.dropFirst().first ?? fields.first ?? "", line: number)
        guard let address = fields.first else { return }
        if address.hasPrefix("query:") { return addQuery(address, fields.dropFirst(), line: number) }
        guard LineListReader.known.contains(where: { address.lowercased().hasPrefix($0) }) else {
            let kind = address.prefix { $0 != ":" }
            reading.problems.append(
                FeedProblem("'\(kind)' entries can't be imported: \(address.prefix(60))", line: number))
            return
        }
        add(subscription(address, fields.dropFirst()))
    }

    /// Adds a saved search of newsboat.
    private mutating func addQuery(_ address: String, _ others: ArraySlice<String>, line number: Int) {
        let parts = address.dropFirst(6).split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            reading.problems.append(FeedProblem("a query needs a name and a filter", line: number))
            return
        }
        reading.queries.append(ListedQuery(name: parts[0], filter: parts[1]))
        let rest = others.joined(separator: " ")
        guard !rest.isEmpty else { return }
        reading.problems.append(
            FeedProblem(
                "the query '\(parts[0])' becomes a saved search, which has neither tags nor '!': \(rest)",
                line: number))
    }

    private func subscription(_ address: String, _ others: ArraySlice<String>) -> ListedSubscription {
        var subscription = ListedSubscription(url: address, folder: section)
        for field in others where !field.hasPrefix("{") {
            // newsboat hides feeds with any tag that begins with "!", and shows the tag.
            if field == "!" || !isNewsraft && field.hasPrefix("!") { subscription.isHidden = true }
            if field == "!" { continue }
            if field.hasPrefix("~") {
                subscription.title = String(field.dropFirst()).nonEmpty
            } else if isNewsraft {
                subscription.title = subscription.title ?? field.nonEmpty
            } else if !subscription.tags.contains(field) {
                subscription.tags.append(field)
            }
        }
        return subscription
    }

    /// Adds a feed. A repeated one adds its tags.
    private mutating func add(_ subscription: ListedSubscription) {
        guard let place = places[subscription.url] else {
            places[subscription.url] = reading.subscriptions.count
            reading.subscriptions.append(subscription)
            return
        }
        let first = reading.subscriptions[place]
        let new = subscription.tags.filter { !first.tags.contains($0) }
        reading.subscriptions[place].tags += new
        reading.subscriptions[place].title = first.title ?? subscription.title
        reading.subscriptions[place].isHidden = first.isHidden && subscription.isHidden
    }

    /// Returns a line of newsraft without its settings, which follow `<` or are in braces.
    private static func settings(_ line: String) -> (rest: String, settings: String?) {
        var isQuoted = false
        for index in line.indices {
            if line[index] == "\"" { isQuoted.toggle() }
            guard !isQuoted, "<{".contains(line[index]) else { continue }
            let settings = line[line.index(after: index)...].prefix { $0 != "}" }
            return (String(line[..<index]).trimmingBlanks, String(settings).trimmingBlanks.nonEmpty)
        }
        return (line.trimmingBlanks, nil)
    }

    /// Reports the settings of a section or feed of newsraft.
    private mutating func note(_ settings: String?, of name: String, line: Int) {
        guard let settings else { return }
        reading.problems.append(
            FeedProblem("the settings of '\(name)' aren't imported; set them in feed options: \(settings)", line: line))
    }

    /// Returns the words of a line of newsraft. `$(program)` prints a feed.
    private static func newsraftFields(_ line: String) -> [String] {
        guard line.hasPrefix("$("), let end = line.lastIndex(of: ")") else { return fields(line) }
        let program = String(line[..<end].dropFirst(2)).trimmingBlanks
        // tappa starts programs without a shell, so a line for the shell is passed to one.
        let needsShell = program.contains { "|&;<>$`*?".contains($0) } && !program.contains("'")
        return ["exec:" + (needsShell ? "sh -c '\(program)'" : program)]
            + fields(String(line[line.index(after: end)...]).trimmingBlanks)
    }

    /// Returns the words between spaces. Quotation marks keep spaces, and a backslash keeps a quotation mark.
    private static func fields(_ line: String) -> [String] {
        var fields: [String] = []
        var field = ""
        var isQuoted = false
        var isEscaped = false
        if !line.utf8.contains(where: { $0 <= 0x20 || $0 == 0x22 || $0 >= 0x80 }) { return [line] }
        for character in line {
            if isEscaped {
                field.append(character)
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                if !isQuoted {
                    fields.append(field)
                    field = ""
                }
            } else if character.isWhitespace, !isQuoted {
                if !field.isEmpty { fields.append(field) }
                field = ""
            } else {
                field.append(character)
            }
        }
        if !field.isEmpty { fields.append(field) }
        return fields
    }
}
