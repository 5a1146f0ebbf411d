import CommonTesting
import Foundation
import Testing

@testable import Fetching

/// Authorities that the user names, and what failures of TLS mean.
@Suite struct TrustsAuthorities {
    @Test(arguments: [
        ("SSL certificate problem: certificate has expired", "the certificate of a.example has expired"),
        ("SSL certificate problem: certificate is not yet valid", "isn't valid yet; check this computer's clock"),
        (
            "SSL: no alternative certificate subject name matches target host name 'a.example'",
            "the certificate isn't for a.example"
        ),
        ("SSL certificate problem: self-signed certificate", "a.example signed its certificate itself"),
        ("SSL certificate problem: self-signed certificate in certificate chain", "an unknown authority"),
        ("SSL certificate problem: unable to get local issuer certificate", "an unknown authority"),
        ("error:0A00010B:SSL routines::wrong version number", "a.example doesn't use TLS; try http://"),
        ("error:0A000152:SSL routines::unsafe legacy renegotiation disabled", "no longer secure"),
        ("error:0A000410:SSL routines::sslv3 alert handshake failure", "no encryption in common"),
        ("OpenSSL SSL_connect: Connection reset by peer in connection to a.example:443", "closed the connection"),
        ("something new", "something new"),
    ])
    func explainsFailuresOfTLS(message: String, reason: String) {
        #expect(Fetcher.reason(ofTLS: message, host: "a.example").contains(reason))
    }

    /// The file of the settings is read when it is named, and the one named last counts.
    @Test func readsTheFileOfTheSettings() throws {
        let folder = TemporaryFolder()
        defer { Fetcher.trustAuthorities(inFile: nil) }
        let authorities = Authorities()
        for name in ["first", "second"] {
            Fetcher.trustAuthorities(inFile: try folder.write(name, to: name))
            #expect(authorities.certificates.map { String(decoding: $0, as: UTF8.self).hasSuffix("\n" + name) } == true)
        }
        // Where a certificate fails, the reason says that the file can't be read.
        Fetcher.trustAuthorities(inFile: folder.path("third"))
        let reason = Fetcher.reason(ofTLS: "unable to get local issuer certificate", host: "a.example")
        #expect(reason.hasSuffix("network.ca-file: \(folder.path("third")) can't be read"))
        Fetcher.trustAuthorities(inFile: nil)
        let without = authorities.certificates.map { String(decoding: $0, as: UTF8.self).hasSuffix("second") }
        #expect(without != true)
    }

    /// A file without certificates is named.
    @Test func saysWhyAFileNamesNoAuthorities() throws {
        let folder = TemporaryFolder()
        let path = folder.path("a.pem")
        #expect(Fetcher.problem(ofAuthorities: path) == "\(path) can't be read")
        for (text, problem) in [("", "is empty"), ("x", "has no certificate in PEM")] {
            try folder.write(text, to: "a.pem")
            #expect(Fetcher.problem(ofAuthorities: path) == "\(path) \(problem)")
        }
        try folder.write("-----BEGIN CERTIFICATE-----\n", to: "a.pem")
        #expect(Fetcher.problem(ofAuthorities: path) == nil)
    }

    /// The system's authorities stay, so the file is longer than the user's.
    @Test func addsToTheAuthoritiesOfTheSystem() throws {
        let folder = TemporaryFolder()
        let (own, empty) = (try folder.write("own", to: "own.pem"), try folder.write("", to: "empty.pem"))
        #expect(Authorities(files: []).certificates == nil)
        #expect(Authorities(files: [folder.path("missing"), empty, folder.url.path]).certificates == nil)
        let certificates = try #require(Authorities(files: [own, own]).certificates)
        #expect(String(decoding: certificates.suffix(7), as: UTF8.self) == "own\nown")
        let system = "/etc/ssl/certs/ca-certificates.crt"
        if FileManager.default.fileExists(atPath: system) { #expect(certificates.count > 100_000) }
    }
}
