import FeedParsing
import Fetching
import Foundation
import WebAddresses

/// Why a site doesn't answer with a feed, in words that say what to do.
enum Refusal {
    /// Returns what an answer without success means.
    static func sentence(for answer: FetchResponse) -> String {
        if let reason = guardian(of: answer) { return reason }
        let sentence = HTTPStatus.sentence(for: answer.status)
        guard [401, 403, 451].contains(answer.status), let title = title(of: answer) else { return sentence }
        return "\(sentence): the site shows the page \"\(title)\""
    }

    /// Returns the reason why an answer is a page instead of a feed, if a site keeps programs out with it.
    static func guardian(of answer: FetchResponse) -> String? {
        let status = answer.status
        let host = WebAddress(answer.effectiveURL)?.host ?? ""
        if status == 403 || status == 429, host == "reddit.com" || host.hasSuffix(".reddit.com") {
            return "Reddit refuses feeds without a key (\(status)). "
                + "Sign in, copy the address from reddit.com/prefs/feeds, and follow that."
        }
        let body = String(decoding: answer.body.prefix(longestHead), as: UTF8.self)
        let isCloudflare =
            answer.headers["cf-mitigated"]?.lowercased().contains("challenge") == true
            || cloudflare.contains(where: body.contains)
            || answer.headers["server"]?.lowercased() == "cloudflare" && body.hasPrefix("error code: 10")
        let name = isCloudflare ? "Cloudflare" : anubis.contains(where: body.contains) ? "Anubis" : nil
        return name.map { "\($0) keeps feed readers out (\(status)). Ask the site to let its feed through." }
    }

    private static let longestHead = 64 << 10
    /// What pages contain that keep programs out.
    private static let anubis = ["/.within.website/x/", "id=\"anubis_"]
    private static let cloudflare = [
        "/cdn-cgi/challenge-platform/", "<title>Just a moment...</title>",
        "<title>Attention Required! | Cloudflare</title>",
        "used Cloudflare to restrict access",
    ]

    /// Returns the title of a page.
    private static func title(of answer: FetchResponse) -> String? {
        let body = String(decoding: answer.body.prefix(longestHead), as: UTF8.self)
        guard let start = body.range(of: "<title", options: .caseInsensitive),
            let open = body[start.upperBound...].firstIndex(of: ">"),
            let end = body[open...].range(of: "</title", options: .caseInsensitive)
        else { return nil }
        let title = Markup.plainText(String(body[body.index(after: open)..<end.lowerBound]))
        return title.isEmpty || title.count > 200 ? nil : title
    }
}
