import Feeds

/// Where a link opens.
enum LinkDestination: Equatable {
    /// In the user's browser.
    case browser
    /// As a stage whose article has the address.
    case stage(race: String, number: Int)
    /// As an entry in the library whose page has the address.
    case entry(EntryID)
    /// As the article of the page.
    case page

    /// Returns where a link opens.
    ///
    /// - Parameters:
    ///   - setting: The value of the setting for links in articles.
    ///   - isOther: Whether the user asked for the other way with a capital letter.
    ///   - mayBePage: Whether the address may be a web page.
    ///   - stage: The stage whose article has the address.
    ///   - entry: The entry in the library whose page has the address.
    ///   - shown: The entry that contains the link.
    static func destination(
        setting: String, isOther: Bool, mayBePage: Bool, stage: @autoclosure () -> (race: String, number: Int)?,
        entry: @autoclosure () -> EntryID?, shown: EntryID?
    ) -> LinkDestination {
        let isHere = (setting == "here") != isOther
        guard isHere, mayBePage else { return .browser }
        if let stage = stage() { return .stage(race: stage.race, number: stage.number) }
        if let entry = entry(), entry != shown { return .entry(entry) }
        return .page
    }
}
