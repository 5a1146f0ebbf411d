import Foundation

/// Credentials for a server: a user name with a password, and header lines.
package struct Secret: Codable, Hashable, Sendable {
    /// The source of a password.
    package enum Password: Codable, Hashable, Sendable {
        /// A typed password, stored in the secrets file.
        case kept(String)
        /// The first line of a program's output: its path or name, and its arguments. No shell is involved.
        case command([String])
        /// An environment variable.
        case environment(String)
        /// `~/.netrc` or the file named by `NETRC`, if nobody else can read it.
        case netrc
    }

    package var user: String?
    package var password: Password?
    /// Additional header lines that the user entered, such as a cookie.
    package var headers: [String]

    package init(user: String? = nil, password: Password? = nil, headers: [String] = []) {
        self.user = user
        self.password = password
        self.headers = headers
    }

    /// Whether there is nothing to store.
    package var isEmpty: Bool { user == nil && headers.isEmpty }

    /// Whether the password comes from a command or the environment.
    var isIndirect: Bool {
        switch password {
        case .command, .environment: true
        case .kept, .netrc, nil: false
        }
    }
}

/// The reason why a secret is unavailable, as a sentence without a full stop. It never contains a part of the secret.
package struct SecretProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
}
