import CommonTesting
import Fetching
import Foundation
import LoopbackServer

extension FetchRequest {
    /// A request for an address that the user typed.
    init(url: String, etag: String? = nil, lastModified: String? = nil, headers: [String] = []) {
        self.init(url: url, allowsPrivateHost: true, etag: etag, lastModified: lastModified, headers: headers)
    }
}

extension LoopbackServer.Answer {
    /// Bytes in place of a response, whatever they are.
    init(raw: String) {
        self.init()
        self.raw = Array(raw.utf8)
    }
}

extension TemporaryFolder {
    /// Writes a file, if there is text for it, and opens it for writing.
    func open(_ name: String, _ text: String = "") throws -> FileHandle {
        try FileHandle(forWritingTo: URL(fileURLWithPath: write(text, to: name)))
    }
}
