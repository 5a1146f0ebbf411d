import CCurl
import Platform
import Synchronization

/// Certificates of authorities beside those of the system, which the user names in a setting, `CURL_CA_BUNDLE` or
/// `SSL_CERT_FILE`.
///
/// libcurl reads neither variable. Of a file that it gets, it reads nothing else, so the system's are added.
final class Authorities: Sendable {
    /// The files that were read, and the certificates in them, or `nil` for libcurl's own.
    private struct Bundle {
        var files: [String]
        var certificates: [UInt8]?
    }

    private let files: [String]?
    private let bundle = Mutex<Bundle?>(nil)

    /// The maximum size of a file in bytes. Those of systems have a quarter of a megabyte.
    private static let maximumBytes = 8 << 20

    /// The file in the user's settings.
    static let ofSettings = Mutex<String?>(nil)

    /// - Parameter files: The paths of files in PEM, or `nil` for those in the environment and the settings.
    init(files: [String]? = nil) { self.files = files }

    private static let ofEnvironment = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].compactMap { (name: String) -> String? in
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The certificates in PEM, or `nil` if libcurl's own suffice. Files are read once.
    var certificates: [UInt8]? {
        let files = files ?? Authorities.ofEnvironment + [Authorities.ofSettings.withLock { $0 }].compactMap { $0 }
        return bundle.withLock { bundle in
            if let bundle, bundle.files == files { return bundle.certificates }
            let certificates = Authorities.load(files)
            bundle = Bundle(files: files, certificates: certificates)
            return certificates
        }
    }

    private static func load(_ files: [String]) -> [UInt8]? {
        let added = files.compactMap { try? contents(of: $0) }
        guard !added.isEmpty else { return nil }
        let own = ccurl_authorities().flatMap { try? contents(of: String(cString: $0)) }
        return Array(([own].compactMap { $0 } + added).joined(separator: [0x0A]))
    }

    static func contents(of path: String) throws(FileReading.Fault) -> [UInt8]? {
        var bytes: [UInt8] = []
        try FileReading.read(path, maximum: maximumBytes, isRegular: true) { bytes += $0 }
        return bytes.isEmpty ? nil : bytes
    }
}

extension Fetcher {
    /// Makes all requests from now on trust the authorities in a file beside those of the system and the environment.
    package static func trustAuthorities(inFile path: String?) { Authorities.ofSettings.withLock { $0 = path } }

    /// Returns the reason why a file names no authorities, or `nil` if it does.
    package static func problem(ofAuthorities path: String) -> String? {
        do throws(FileReading.Fault) {
            guard let bytes = try Authorities.contents(of: path) else { return "\(path) is empty" }
            let isPEM = String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----")
            return isPEM ? nil : "\(path) has no certificate in PEM"
        } catch {
            return "\(path) can't be read"
        }
    }
}
