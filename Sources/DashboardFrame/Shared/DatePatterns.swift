import Platform

/// The patterns for dates and times in the user's language, as `strftime` accepts them.
///
/// The C library supplies the names of months and days. It has no pattern for dates in words, so the order follows that
/// of dates in numbers (`D_FMT`, `T_FMT` of nl_langinfo(3)).
struct DatePatterns: Equatable {
    /// A day of this year: `21 May`.
    var day = "%-d %b"
    /// A day below the name of its month: `Fri 21`.
    var dayOfMonth = "%a %-d"
    /// A day of another year: `21 May 2010`.
    var dayAndYear = "%-d %b %Y"
    /// A day in full, without its weekday: `21 May 2010`.
    var longDay = "%-d %B %Y"
    /// A day of this year with its weekday: `Fri 21 May`.
    var weekday = "%a %-d %b"
    /// A day in full: `Friday 21 May 2010`.
    var longWeekday = "%A %-d %B %Y"
    /// A month of another year: `May 2010`.
    var month = "%B %Y"
    /// A time: `21:05`.
    var time = "%H:%M"

    /// Creates the patterns used without a locale: day, month, year, and 24 hours.
    init() {}

    /// - Parameters:
    ///   - dates: `D_FMT`: `%m/%d/%Y` is month first, `%Y年%m月%d日` year first with its own signs; everything else is
    ///     day, month, year.
    ///   - times: `T_FMT`: `%r`, and patterns with `%I`, `%l` or `%p`, use 12 hours.
    init(dates: String, times: String) {
        if ["%r", "%I", "%l", "%p"].contains(where: times.contains) { time = "%-I:%M %p" }
        let parts = dates.replacing("%D", with: "%m/%d/%y").split(separator: "%")
        guard let month = parts.firstIndex(where: { $0.first == "m" }),
            let day = parts.firstIndex(where: { $0.first == "d" }), month < day
        else { return }
        guard parts.first?.first == "Y" else {
            self.day = "%b %-d"
            dayAndYear = "%b %-d %Y"
            longDay = "%B %-d, %Y"
            weekday = "%a, %b %-d"
            longWeekday = "%A, %B %-d, %Y"
            return
        }
        // 2010-05-21 is only a number, while 2010年5月21日 is also how the date is read.
        if parts.contains(where: { $0.unicodeScalars.allSatisfy(\.isASCII) }) { return }
        let (inYear, inMonth) = ("%" + parts[0], "%-" + parts[month])
        self.day = inMonth + "%-" + parts[day]
        dayOfMonth = "%-" + parts[day] + " (%a)"
        dayAndYear = inYear + self.day
        longDay = dayAndYear
        weekday = self.day + " (%a)"
        longWeekday = dayAndYear + " %A"
        self.month = inYear + inMonth
    }

    /// The patterns of the locale in `LC_TIME` (locale(7)).
    static let ofTheUser: DatePatterns = {
        let name = setlocale(LC_TIME, nil).map { String(cString: $0) } ?? "C"
        guard !["POSIX", "C"].contains(name.split(separator: ".").first ?? "") else { return DatePatterns() }
        guard let dates = nl_langinfo(nl_item(D_FMT)), let times = nl_langinfo(nl_item(T_FMT)) else {
            return DatePatterns()
        }
        return DatePatterns(dates: String(cString: dates), times: String(cString: times))
    }()
}
