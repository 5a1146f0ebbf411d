import Foundation
import LibraryKernel

/// The netrc file, in which many programs look up names and passwords (`man 5 netrc`).
enum Netrc {
    /// Returns the password of a user on a host.
    ///
    /// - Parameter user: The user name, or `nil` for the first entry of the host.
    /// - Throws: ``SecretProblem`` if the file can't be used or has no such entry.
    static func find(host: String, user: String?, in path: String) throws(SecretProblem) -> (
        user: String, password: String
    ) {
        var status = stat()
        guard stat(path, &status) == 0, let data = PrivateFile.contents(path) else {
            throw SecretProblem(
                description: "no password: use --password-command, TAPPA_PASSWORD_HOME or ~/.netrc")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw SecretProblem(
                description: "\(path) is readable by others and was ignored; run 'chmod 600 \(path)'")
        }
        for entry in entries(String(decoding: data, as: UTF8.self)) where entry.host == nil || entry.host == host {
            guard let login = entry.user, let password = entry.password, user == nil || user == login else { continue }
            return (login, password)
        }
        throw SecretProblem(description: "\(path) has no password for \(host)")
    }

    private struct Entry {
        /// The host, or `nil` for all hosts.
        var host: String?
        var user: String?
        var password: String?
    }

    private static func entries(_ text: String) -> [Entry] {
        let words = text.split(whereSeparator: \.isNewline).filter { !$0.drop { $0 == " " }.hasPrefix("#") }
            .flatMap { $0.split { $0 == " " || $0 == "\t" }.map(String.init) }
        var entries: [Entry] = []
        var index = 0
        while index < words.count {
            let value = index + 1 < words.count ? words[index + 1] : nil
            switch words[index] {
            case "machine":
                entries.append(Entry(host: value?.lowercased() ?? ""))
                index += 2
            case "default":
                entries.append(Entry())
                index += 1
            case "login" where !entries.isEmpty:
                entries[entries.count - 1].user = value
                index += 2
            case "password" where !entries.isEmpty:
                entries[entries.count - 1].password = value
                index += 2
            default: index += 1
            }
        }
        return entries
    }
}
