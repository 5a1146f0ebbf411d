import Fetching
import Foundation
import LibraryKernel
import Platform
import Synchronization
import WebAddresses

/// Stores secrets outside the library, in a file that only its owner can read (0600). The library contains references.
///
/// References never change, so undoing a change of header lines finds the previous ones. They are random, so a library
/// given to someone else reveals nothing.
package final class SecretStore: Sendable {
    /// The path of the secrets file, or `nil` in memory.
    let path: String?
    private let memory = Mutex<[String: Secret]>([:])
    private let answers = Mutex<[String: String]>([:])
    private let runner = Mutex(Runner { _ in nil })
    private static let mark = "secret:"

    private struct Runner { var run: @Sendable ([String]) -> String? }

    /// - Parameter library: The library's path, or `nil` to keep secrets in memory.
    package init(library: String?) { path = library.map { $0 + ".secrets" } }

    /// Sets the function that runs password commands. It receives the command's words and returns the output, or `nil`
    /// on failure.
    package func setRunner(_ run: @escaping @Sendable ([String]) -> String?) {
        runner.withLock { $0 = Runner(run: run) }
    }

    static func isReference(_ line: String) -> Bool { line.hasPrefix(mark) }

    // MARK: Keeping

    /// Stores a secret.
    ///
    /// - Returns: The reference for the library.
    /// - Throws: ``SecretProblem`` if the file can't be written.
    package func keep(_ secret: Secret) throws(SecretProblem) -> String {
        try keep([secret])[0]
    }

    /// Stores several secrets and returns their references in the same order.
    func keep(_ secrets: [Secret]) throws(SecretProblem) -> [String] {
        let references = secrets.map { _ in SecretStore.mark + UUID().uuidString }
        try write(zip(references, secrets).map { ($0, $1) })
        return references
    }

    private func write(_ secrets: [(reference: String, secret: Secret?)]) throws(SecretProblem) {
        guard !secrets.isEmpty else { return }
        let reason = update { all in
            for (reference, secret) in secrets { all[reference] = secret }
        }
        if let reason { throw SecretProblem(description: "can't store the password in \(path ?? ""): \(reason)") }
    }

    /// Removes passwords that come from commands or the environment, because they arrived with a library from another
    /// machine.
    ///
    /// - Returns: The number of removed passwords.
    package func removeIndirectPasswords() -> Int {
        guard let path, FileManager.default.fileExists(atPath: path) else { return 0 }
        var count = 0
        _ = update { all in
            for (reference, secret) in all where secret.isIndirect {
                all[reference] = nil
                count += 1
            }
        }
        return count
    }

    /// Modifies the stored secrets.
    ///
    /// - Returns: The reason if the file could not be written, without a full stop.
    private func update(_ change: (inout [String: Secret]) -> Void) -> String? {
        memory.withLock { memory in
            guard let path else {
                change(&memory)
                return nil
            }
            // Other programs may write at the same time. Locking the folder orders them and leaves no lock file behind.
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { if lock >= 0 { close(lock) } }
            if lock >= 0, SecretStore.isHeld(lock) { return "another program has locked its folder" }
            // A file that can't be read still contains the other secrets, so it isn't overwritten.
            guard var all = SecretStore.read(path) else { return "the file can't be read" }
            change(&all)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(all) else { return "it can't be encoded" }
            return PrivateFile.replace(path, with: data) ? nil : String(cString: strerror(errno))
        }
    }

    /// How long to wait for another program that writes secrets, which takes it milliseconds.
    private static let patience = Duration.seconds(2)

    /// Locks a folder.
    ///
    /// - Returns: Whether another program holds the lock. Some file systems have no locks, so nobody does.
    private static func isHeld(_ folder: Int32) -> Bool {
        let start = Stopwatch.now
        while flock(folder, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { return false }
            guard start.duration(to: Stopwatch.now) < patience else { return true }
            Stopwatch.pause(for: .milliseconds(10))
        }
        return false
    }

    /// Reads a secrets file. Returns no secrets if it doesn't exist, and `nil` if it can't be read.
    private static func read(_ path: String) -> [String: Secret]? {
        guard access(path, F_OK) == 0 else { return [:] }
        return PrivateFile.contents(path).flatMap {
            try? JSONDecoder().decode([String: Secret].self, from: $0)
        }
    }

    private func secret(_ reference: String) -> Secret? {
        guard let path else { return memory.withLock { $0[reference] } }
        PrivateFile.protect(path)
        return SecretStore.read(path)?[reference]
    }

    // MARK: Using

    /// Returns the request header lines of a feed.
    ///
    /// - Parameter lines: The lines in the library: references, or lines that contain no secret.
    /// - Throws: ``SecretProblem`` if a password is unavailable.
    func resolve(_ lines: [String], for address: String) throws(SecretProblem) -> [String] {
        var result: [String] = []
        for line in lines {
            guard SecretStore.isReference(line) else {
                result.append(line)
                continue
            }
            guard let secret = secret(line) else {
                throw SecretProblem(description: "the user name and password are no longer in \(path ?? "memory")")
            }
            result += secret.headers
            // A program that prompts the user runs only once.
            if let known = answers.withLock({ $0[line] }) {
                result.append(known)
            } else if let authorization = try authorization(secret, address) {
                answers.withLock { $0[line] = authorization }
                result.append(authorization)
            }
        }
        return result
    }

    /// Returns the password behind a reference.
    ///
    /// - Throws: ``SecretProblem`` if it is unavailable.
    package func password(of reference: String, for address: String) throws(SecretProblem) -> String {
        guard let secret = secret(reference) else {
            throw SecretProblem(description: "the password is no longer in \(path ?? "memory")")
        }
        return try credentials(secret, address).password
    }

    /// Whether the password behind a reference comes from a command or the environment, and may differ the next time.
    package func isIndirect(_ reference: String) -> Bool { secret(reference)?.isIndirect ?? false }

    /// Returns the password of a secret that is not stored yet.
    package func password(of secret: Secret, for address: String) throws(SecretProblem) -> String {
        try credentials(secret, address).password
    }

    /// Returns the stored token of a login. It lets programs that run only briefly skip the login.
    package func authorization(of reference: String) -> String? { secret(reference + "/authorization")?.headers.first }

    /// Stores the token of a login, or removes it if `nil` because it is no longer valid.
    package func keep(authorization: String?, of reference: String) {
        try? write([(reference + "/authorization", authorization.map { Secret(headers: [$0]) })])
    }

    /// Deletes a secret.
    package func forget(_ reference: String) {
        keep(authorization: nil, of: reference)
        try? write([(reference, nil)])
    }

    /// Returns the header lines of a secret that is not stored yet.
    package func lines(of secret: Secret, for address: String) throws(SecretProblem) -> [String] {
        secret.headers + [try authorization(secret, address)].compactMap { $0 }
    }

    private func authorization(_ secret: Secret, _ address: String) throws(SecretProblem) -> String? {
        guard secret.user != nil || secret.password != nil else { return nil }
        let pair = try credentials(secret, address)
        return UserInfo.authorization("\(pair.user):\(pair.password)")
    }

    private func credentials(_ secret: Secret, _ address: String) throws(SecretProblem) -> (
        user: String, password: String
    ) {
        let user = secret.user ?? ""
        switch secret.password {
        case .kept(let password): return (user, password)
        case .environment(let name):
            guard let value = ProcessInfo.processInfo.environment[name] else {
                throw SecretProblem(description: "the variable \(name) for the password is not set")
            }
            return (user, value)
        case .command(let words):
            let runner = runner.withLock { $0 }
            guard let output = runner.run(words), let line = output.split(whereSeparator: \.isNewline).first else {
                let program = words.first ?? ""
                throw SecretProblem(
                    description: "the password command \(program) failed, printed nothing or took too long")
            }
            return (user, String(line))
        case .netrc, nil:
            guard let host = Origin(address)?.host else {
                throw SecretProblem(description: "a password can only be used with a web address")
            }
            let environment = ProcessInfo.processInfo.environment
            let file = environment["NETRC"] ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.netrc"
            return try Netrc.find(host: host, user: secret.user, in: file)
        }
    }
}
