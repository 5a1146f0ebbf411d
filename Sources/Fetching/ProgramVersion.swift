import CCurl

/// The program's version, shown to users, servers and packages.
package enum ProgramVersion {
    /// Semantic Versioning 2.0.0.
    package static let number = "0.1.0"
    /// The User-Agent for servers (RFC 9110, 10.1.5).
    package static let userAgent = "tappa/\(number) (feed reader)"
    /// The version of libcurl on this machine, or `nil` if it isn't installed.
    package static var libcurl: String? { ccurl_version().map { String(cString: $0) } }
}
