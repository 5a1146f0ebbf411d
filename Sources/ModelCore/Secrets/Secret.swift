import Foundation

/// What a server is told that nobody else may know: a name with a password, and header lines.
package struct Secret: Codable, Hashable, Sendable {
    /// Where a password comes from.
    package enum Password: Codable, Hashable, Sendable {
        /// As it was typed; it lies in the secrets' file.
        case kept(String)
        /// The first line that a program prints: its path or name, and its arguments; no shell reads it.
        case command([String])
        /// A variable of the environment.
        case environment(String)
        /// `~/.netrc`, or the file that `NETRC` names, where nobody else can read it.
        case netrc
    }

    package var user: String?
    package var password: Password?
    /// Header lines of the user's own, such as a cookie.
    package var headers: [String]

    package init(user: String? = nil, password: Password? = nil, headers: [String] = []) {
        self.user = user
        self.password = password
        self.headers = headers
    }

    /// Whether there is nothing to keep.
    package var isEmpty: Bool { user == nil && headers.isEmpty }
}

/// Why a secret cannot be had, in a sentence without a full stop; it never holds a part of one.
package struct SecretProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
}
