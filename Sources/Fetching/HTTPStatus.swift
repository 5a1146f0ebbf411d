/// The meaning of HTTP status codes, in the words that users read.
package enum HTTPStatus {
    /// Returns what a status other than success means, such as "not found (404)".
    ///
    /// - Source: RFC 9110, section 15.
    package static func sentence(for status: Int) -> String {
        switch status {
        case 401, 403: "access denied (\(status))"
        case 404: "not found (404)"
        case 410: "gone (410)"
        case 429: "too many requests (429)"
        case 500...599: "server error (\(status))"
        default: "the server answered \(status)"
        }
    }
}
