import Feeds
import Fetching
import Foundation
import LibraryKernel
import WebAddresses

/// Creates and removes accounts.
package enum AccountService {
    /// The reason why an account could not be created, as a sentence without a full stop.
    package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        package var description: String
        /// Whether the server could not be reached, so that a later try may succeed.
        package var mayPass = false
    }

    /// Returns an address for requests, with `https` if it has no scheme.
    ///
    /// - Parameter allowsPlain: Whether a password may be sent unencrypted to another machine.
    package static func address(_ typed: String, allowsPlain: Bool) throws(Problem) -> String {
        let text = typed.trimmingCharacters(in: .whitespaces)
        let (plain, authorization) = UserInfo.split(WebAddress.completed(text))
        guard authorization == nil else {
            throw Problem(
                description:
                    "the address contains a user name or password; use --user and enter the password separately")
        }
        guard let origin = Origin(plain), plain.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw Problem(description: "'\(typed)' is not a server address")
        }
        guard origin.scheme == "https" || isHere(origin.host) || allowsPlain else {
            throw Problem(
                description: "http would send the password to \(origin.host) unencrypted; use https, "
                    + "or allow it with --allow-http")
        }
        return plain
    }

    /// Returns the address at which a server answers, before the name and password are known. An address without a
    /// scheme is tried with `https`, then with `http`.
    package static func reachableAddress(
        _ typed: String, fetcher: Fetcher = Fetcher()
    ) async throws(Problem) -> String {
        let address = try address(typed, allowsPlain: true)
        do throws(ServerError) {
            try await ServerDiscovery.check(address, fetcher: fetcher)
            return address
        } catch {
            let isGuessed = !WebAddress.isWeb(typed.trimmingCharacters(in: .whitespaces))
            if isGuessed, Origin(address)?.scheme == "https", error.isOfConnection {
                let plain = "http:" + address.dropFirst("https:".count)
                do throws(ServerError) {
                    try await ServerDiscovery.check(plain, fetcher: fetcher)
                    return plain
                } catch {
                    if !error.isOfConnection { throw Problem(description: error.description, mayPass: error.mayPass) }
                }
            }
            throw Problem(description: error.description, mayPass: error.mayPass)
        }
    }

    /// Returns the host to which a password would be sent unencrypted, or `nil` if it is encrypted or stays here.
    package static func plainHost(_ address: String) -> String? {
        guard let origin = Origin(address), origin.scheme == "http", !isHere(origin.host) else { return nil }
        return origin.host
    }

    private static func isHere(_ host: String) -> Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// Stores a new password for an account, once its server has accepted it.
    package static func renew(
        _ account: Account, password: String, in library: Library, fetcher: Fetcher = Fetcher()
    ) async throws(Problem) -> Account {
        try await add(
            name: account.name, address: account.address,
            secret: Secret(user: account.user, password: .kept(password)), to: library, fetcher: fetcher)
    }

    /// Checks an account name: short, and one word in commands and environment variables.
    package static func check(name: String) throws(Problem) {
        let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
        guard (1...40).contains(name.count), isPlain else {
            throw Problem(description: "an account name has at most 40 letters, digits, '-', '_' and '.'")
        }
    }

    /// Detects the type of a server and adds an account for a user, or gives the user's existing account the new password.
    ///
    /// - Parameters:
    ///   - address: An address from ``address(_:allowsPlain:)``.
    ///   - secret: The user name and the source of the password.
    /// - Returns: The account, not synced yet.
    package static func add(
        name: String, address: String, secret: Secret, to library: Library, fetcher: Fetcher = Fetcher()
    ) async throws(Problem) -> Account {
        try check(name: name)
        let user = secret.user ?? ""
        do {
            let all = try library.accounts.all(now: 0)
            let password = try library.secrets.password(of: secret, for: address)
            let found = try await ServerDiscovery.find(address, user: user, password: password, fetcher: fetcher)
            let same = all.first { $0.address == found.base && $0.user == user }
            let previous = all.first { $0.name == name } ?? same
            // On another server all identifiers differ, so the feeds can't be the same.
            if let previous, previous.address != found.base || previous.user != user {
                throw Problem(
                    description:
                        "the account '\(name)' of \(previous.user) at \(previous.address) already exists; remove it first, "
                        + "or choose another name")
            }
            let name = previous?.name ?? name
            let reference = try library.secrets.keep(secret)
            library.secrets.keep(authorization: found.authorization, of: reference)
            try await library.changes.perform(
                .addAccount(
                    NewAccount(name: name, kind: found.kind, address: found.base, user: user, secret: reference)))
            if let previous { library.secrets.forget(previous.secret) }
            guard let account = try library.accounts.all(now: 0).first(where: { $0.name == name }) else {
                throw Problem(description: "the account was removed meanwhile")
            }
            return account
        } catch let error as ServerError {
            throw Problem(description: error.description, mayPass: error.mayPass)
        } catch let error as Problem {
            throw error
        } catch {
            throw Problem(description: "\(error)")
        }
    }

    /// Removes an account and its password.
    @discardableResult
    package static func remove(_ account: Account, keepsFeeds: Bool, from library: Library) async throws -> Receipt {
        let removal = Change(RemoveAccount(account: account.id, keepsFeeds: keepsFeeds))
        let receipt = try await library.changes.perform(removal)
        library.secrets.forget(account.secret)
        return receipt
    }
}
