import CCurl
import Platform
import Synchronization

/// Certificates of authorities beside those of the system, which the user names in `CURL_CA_BUNDLE` or `SSL_CERT_FILE`.
///
/// libcurl reads neither variable. Of a file that it gets, it reads nothing else, so the system's are added.
final class Authorities: Sendable {
    private enum Bundle {
        case unread
        /// The certificates, or `nil` for libcurl's own.
        case read([UInt8]?)
    }

    private let files: [String]
    private let bundle = Mutex(Bundle.unread)

    /// The maximum size of a file in bytes. Those of systems have a quarter of a megabyte.
    private static let maximumBytes = 8 << 20

    /// - Parameter files: The paths of files in PEM, by default those in the environment.
    init(files: [String] = Authorities.named) { self.files = files }

    private static var named: [String] {
        ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].compactMap { (name: String) -> String? in
            getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
        }
    }

    /// The certificates in PEM, or `nil` if libcurl's own suffice. They are read once.
    var certificates: [UInt8]? {
        bundle.withLock { bundle in
            if case .read(let certificates) = bundle { return certificates }
            let certificates = load()
            bundle = .read(certificates)
            return certificates
        }
    }

    private func load() -> [UInt8]? {
        let added = files.compactMap(Authorities.contents)
        guard !added.isEmpty else { return nil }
        let own = ccurl_authorities().flatMap { Authorities.contents(of: String(cString: $0)) }
        return Array(([own].compactMap { $0 } + added).joined(separator: [0x0A]))
    }

    private static func contents(of path: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        do throws(FileReading.Fault) {
            try FileReading.read(path, maximum: maximumBytes, isRegular: true) { bytes += $0 }
        } catch {
            return nil
        }
        return bytes.isEmpty ? nil : bytes
    }
}
