import CCurl

/// The version of the program: the one place that tells it, to users, servers and packages.
package enum ProgramVersion {
    /// Semantic Versioning 2.0.0.
    package static let number = "0.1.0"
    /// The day of the version, for the manual page.
    package static let date = "November 22, 2026"
    /// What servers are told (RFC 9110, 10.1.5).
    package static let userAgent = "tappa/\(number) (feed reader)"
    /// libcurl, as it is found on this machine; `nil`: it is not there.
    package static var libcurl: String? { ccurl_version().map { String(cString: $0) } }
}
