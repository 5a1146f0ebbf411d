import WebAddresses

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

    /// Adds what the list says of the same feed elsewhere: its tags, and its folder as a tag if the feed is in one already.
    ///
    /// - Returns: The number of tags above the limit, which are left out.
    package mutating func adopt(_ other: ListedSubscription) -> Int {
        var tags = other.tags
        if let folder, let second = other.folder, folder != second {
            tags.append(second.split(separator: "/").last.map(String.init) ?? second)
        }
        let new = tags.filter { !self.tags.contains($0) }
        let room = max(0, ImportedText.maximumTags - self.tags.count)
        self.tags += new.prefix(room)
        title = title ?? other.title
        folder = folder ?? other.folder
        isHidden = isHidden && other.isHidden
        return max(0, new.count - room)
    }

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
    package internal(set) var problems: [FeedProblem] = []
    /// The number of problems beyond those that are listed.
    package private(set) var otherProblems = 0
    /// Whether something was left out because it was too long.
    private(set) var isLimited = false
    /// The indexes of the feeds by address.
    private var places: [String: Int] = [:]

    /// The maximum number of feeds in a list, and of listed problems.
    static let (maximumFeeds, maximumProblems) = (100_000, 1000)

    /// Whether another feed can be added. Reports the first that can't.
    var hasRoom: Bool {
        mutating get {
            guard subscriptions.count >= SubscriptionListReading.maximumFeeds else { return true }
            let problem = FeedProblem("only the first \(SubscriptionListReading.maximumFeeds) feeds were read")
            if problems.last?.description != problem.description { report(problem) }
            return false
        }
    }

    mutating func report(_ problem: FeedProblem) {
        if problems.count < SubscriptionListReading.maximumProblems {
            problems.append(problem)
        } else {
            otherProblems += 1
        }
    }

    mutating func report(_ message: String, line: Int? = nil) { report(FeedProblem(message, line: line)) }

    /// Reports something that is too long.
    mutating func leaveOut(_ message: String, line: Int?) {
        isLimited = true
        report(message, line: line)
    }

    /// Adds a feed. A repeated one adds its tags, and its folder as a tag if it has one already.
    mutating func add(_ subscription: ListedSubscription, line: Int? = nil) {
        guard let subscription = limited(subscription, line: line) else { return }
        let address = WebAddress.identity(of: subscription.url)
        guard let place = places[address] else {
            places[address] = subscriptions.count
            subscriptions.append(subscription)
            return
        }
        let left = subscriptions[place].adopt(subscription)
        if left > 0 { report("left out \(left.counted("tag")) of a repeated feed", line: line) }
    }

    /// Adds a query, unless it is too long or there are too many.
    mutating func add(_ query: ListedQuery, line: Int? = nil) {
        guard query.name.utf8.count <= ImportedText.maximumName,
            max(query.filter.utf8.count, query.query?.utf8.count ?? 0) <= ImportedText.maximumQuery
        else { return leaveOut("the query '\(ImportedText.shown(query.name))' is too long", line: line) }
        guard queries.count < ImportedText.maximumQueries else {
            return report("the query '\(query.name)' is one of more than \(ImportedText.maximumQueries)", line: line)
        }
        queries.append(query)
    }

    /// Returns a feed within the limits, or `nil` if its address is too long. Reports what is left out.
    mutating func limited(_ feed: ListedSubscription, line: Int? = nil) -> ListedSubscription? {
        func fits(_ text: String?, _ maximum: Int) -> Bool { text?.utf8.count ?? 0 <= maximum }
        let shown = ImportedText.shown(feed.url)
        guard fits(feed.url, ImportedText.maximumAddress) else {
            leaveOut("an address is longer than \(ImportedText.maximumAddress >> 10) KiB: \(shown)", line: line)
            return nil
        }
        var (feed, left) = (feed, [String]())
        if !fits(feed.title, ImportedText.maximumTitle) {
            left.append("the end of its title")
            feed.title = feed.title.map { ImportedText.limited($0, to: ImportedText.maximumTitle) }
        }
        if !fits(feed.homePage, ImportedText.maximumAddress) {
            left.append("the address of its page")
            feed.homePage = nil
        }
        if !fits(feed.folder, ImportedText.maximumName) {
            left.append("the end of its folder's name")
            feed.folder = feed.folder.map { ImportedText.limited($0, to: ImportedText.maximumName) }
        }
        let tags = feed.tags.filter { fits($0, ImportedText.maximumName) }.prefix(ImportedText.maximumTags)
        if tags.count < feed.tags.count {
            left.append((feed.tags.count - tags.count).counted("tag"))
            feed.tags = Array(tags)
        }
        if !left.isEmpty { report("\(shown) was imported without \(left.joined(separator: ", "))", line: line) }
        return feed
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
    /// - Parameter isNewsraft: Whether a list of lines is newsraft's, or `nil` to recognise it by its sections.
    /// - Throws: ``NoList`` if it isn't a list of subscriptions.
    package static func read(_ bytes: [UInt8], isNewsraft: Bool? = nil) throws(NoList) -> SubscriptionListReading {
        let document = TextDecoding.decode(bytes, contentType: nil)
        guard let first = document.utf8.first(where: { !$0.isBlank }) else {
            throw NoList(description: "the file is empty")
        }
        if first == UInt8(ascii: "<") { return try OPMLReader.read(document.utf8) }
        return try LineListReader.read(String(decoding: document.utf8, as: UTF8.self), isNewsraft: isNewsraft)
    }
}

/// Reads newsboat's and newsraft's files: a feed on each line with address, names and tags.
struct LineListReader {
    /// The schemes of addresses that can be imported. Those of other programs are repaired later.
    private static let known = ["http:", "https:", "file://", "feed:", "itpc:", "pcast:", "exec:", "filter:"]

    /// The maximum number of lines of a file, and of bytes of a line.
    private static let (maximumLines, maximumLine) = (200_000, 64 << 10)

    /// Newsraft's file has sections, and names in place of newsboat's tags.
    private let isNewsraft: Bool
    private var section: String?
    private var reading = SubscriptionListReading()

    private init(_ text: String, isNewsraft: Bool?) {
        self.isNewsraft = isNewsraft ?? ["@", "$("].contains { text.hasPrefix($0) || text.contains("\n" + $0) }
    }

    static func read(
        _ text: String, isNewsraft: Bool?
    ) throws(SubscriptionListReader.NoList) -> SubscriptionListReading {
        var reader = LineListReader(text, isNewsraft: isNewsraft)
        var rest = Substring(text)
        var number = 0
        while !rest.isEmpty {
            // Line by line, because splitting the whole file would take several times its size.
            let line = rest.prefix { $0 != "\n" && $0 != "\r\n" }
            rest = rest[line.endIndex...].dropFirst()
            number += 1
            guard number <= maximumLines else {
                reader.reading.report("only the first \(maximumLines) lines were read")
                break
            }
            guard line.utf8.count <= maximumLine else {
                reader.reading.leaveOut(
                    "longer than \(maximumLine >> 10) KiB: \(ImportedText.shown(String(line.prefix(200))))",
                    line: number)
                continue
            }
            let trimmed = String(line).trimmingBlanks
            guard !trimmed.isEmpty, !trimmed.hasPrefix("#") else { continue }
            guard reader.reading.hasRoom else { break }
            reader.read(trimmed, number)
        }
        let reading = reader.reading
        guard !reading.subscriptions.isEmpty || !reading.problems.isEmpty || !reading.queries.isEmpty else {
            throw SubscriptionListReader.NoList(description: "no feeds found")
        }
        if reading.subscriptions.isEmpty, reading.queries.isEmpty, !reading.isLimited {
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
        note(settings, of: fields.dropFirst().first?.text ?? fields.first?.text ?? "", line: number)
        guard let address = fields.first?.text else { return }
        if address.hasPrefix("query:") { return addQuery(address, fields.dropFirst().map(\.text), line: number) }
        guard LineListReader.known.contains(where: { address.lowercased().hasPrefix($0) }) else {
            let kind = address.prefix { $0 != ":" }
            return reading.report(
                "'\(ImportedText.shown(String(kind)))' entries can't be imported: "
                    + ImportedText.withoutCredentials(String(address.prefix(1000))).prefix(60),
                line: number)
        }
        reading.add(subscription(address, fields.dropFirst()), line: number)
    }

    /// Adds a saved search of newsboat.
    private mutating func addQuery(_ address: String, _ others: [String], line number: Int) {
        let parts = address.dropFirst(6).split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return reading.report("a query needs a name and a filter", line: number) }
        reading.add(ListedQuery(name: parts[0], filter: parts[1]), line: number)
        let rest = ImportedText.shown(others.joined(separator: " "))
        guard !rest.isEmpty else { return }
        reading.report(
            "the query '\(ImportedText.shown(parts[0]))' becomes a saved search, which has neither tags nor '!': \(rest)",
            line: number)
    }

    private func subscription(_ address: String, _ others: ArraySlice<Field>) -> ListedSubscription {
        var subscription = ListedSubscription(url: address, folder: section)
        // A name is in quotation marks, so that a word beside it is a tag, as in newsboat's lines.
        let hasName = isNewsraft && others.contains { $0.isQuoted }
        for field in others where !field.text.hasPrefix("{") {
            let text = field.text
            // newsboat hides feeds with any tag that begins with "!", and shows the tag.
            if text == "!" || !isNewsraft && text.hasPrefix("!") { subscription.isHidden = true }
            if text == "!" { continue }
            if text.hasPrefix("~") {
                subscription.title = String(text.dropFirst()).nonEmpty
            } else if isNewsraft, field.isQuoted || !hasName {
                subscription.title = subscription.title ?? text.nonEmpty
            } else if !subscription.tags.contains(text) {
                subscription.tags.append(text)
            }
        }
        return subscription
    }

    /// Returns a line of newsraft without its settings, which follow `<`, or are minutes in brackets and a number of
    /// entries in braces at its end.
    private static func settings(_ line: String) -> (rest: String, settings: String?) {
        var isQuoted = false
        var last: Character = " "
        for index in line.indices {
            let character = line[index]
            defer { last = character }
            if character == "\"" { isQuoted.toggle() }
            // An address may contain brackets, and those of settings begin a word.
            guard !isQuoted, character == "<" || character == "{" || character == "[" && last.isWhitespace else {
                continue
            }
            let rest = line[index...]
            let settings = character == "<" ? String(rest.dropFirst()) : named(rest)
            // The name may also follow brackets.
            let name = character == "<" ? "" : rest.split(whereSeparator: { "]}".contains($0) }).last ?? ""
            let hasName = name.drop(while: \.isWhitespace).hasPrefix("\"")
            return (String(line[..<index] + (hasName ? name : "")).trimmingBlanks, settings.trimmingBlanks.nonEmpty)
        }
        return (line.trimmingBlanks, nil)
    }

    /// Returns settings in brackets and braces with their names.
    private static func named(_ settings: Substring) -> String {
        settings.split(whereSeparator: { "]}".contains($0) }).compactMap { part in
            let part = String(part).trimmingBlanks
            let content = String(part.dropFirst()).trimmingBlanks
            switch part.first {
            case "[": return "reload-period \(content)"
            case "{": return Int(content) == nil ? content : "item-limit \(content)"
            default: return nil
            }
        }.joined(separator: "; ")
    }

    /// Reports the settings of a section or feed of newsraft, without values that may be passwords.
    private mutating func note(_ settings: String?, of name: String, line: Int) {
        guard let settings else { return }
        let list = settings.split(separator: ";").map { setting in
            let words = setting.split(whereSeparator: \.isWhitespace).filter { $0 != "set" }
            let isNumber = words.count == 2 && Int(words[1]) != nil && !ImportedText.isSecretive(String(words[0]))
            return words.prefix(isNumber ? 2 : 1).joined(separator: " ")
        }
        let shown = ImportedText.shown(list.joined(separator: "; "))
        reading.report(
            "the settings of '\(ImportedText.shown(name))' aren't imported; set them in feed options: \(shown)",
            line: line)
    }

    private struct Field {
        var text: String
        var isQuoted = false
    }

    /// Returns the words of a line of newsraft. `$(program)` prints a feed.
    private static func newsraftFields(_ line: String) -> [Field] {
        guard line.hasPrefix("$("), let end = line.lastIndex(of: ")") else { return fields(line) }
        let program = String(line[..<end].dropFirst(2)).trimmingBlanks
        // tappa starts programs without a shell, so a line for the shell is passed to one.
        let needsShell = program.contains { "|&;<>$`*?".contains($0) } && !program.contains("'")
        return [Field(text: "exec:" + (needsShell ? "sh -c '\(program)'" : program))]
            + fields(String(line[line.index(after: end)...]).trimmingBlanks)
    }

    /// Returns the words between spaces. Quotation marks keep spaces, a backslash keeps a quotation mark, and a `#` at the
    /// beginning of a word starts a comment.
    private static func fields(_ line: String) -> [Field] {
        var fields: [Field] = []
        var field = ""
        var isQuoted = false
        var isEscaped = false
        if !line.utf8.contains(where: { $0 <= 0x20 || $0 == 0x22 || $0 >= 0x80 }) { return [Field(text: line)] }
        for character in line {
            if isEscaped {
                field.append(character)
                isEscaped = false
            } else if character == "\\", isQuoted {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                if !isQuoted {
                    fields.append(Field(text: field, isQuoted: true))
                    field = ""
                }
            } else if character.isWhitespace, !isQuoted {
                if !field.isEmpty { fields.append(Field(text: field)) }
                field = ""
            } else if character == "#", !isQuoted, field.isEmpty {
                break
            } else {
                field.append(character)
            }
        }
        if !field.isEmpty { fields.append(Field(text: field, isQuoted: isQuoted)) }
        return fields
    }
}
