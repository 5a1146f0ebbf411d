import CCurl
import Foundation

/// Files of gzip, which servers, folders and programs offer as documents.
package enum CompressedDocument {
    /// The first bytes of such a file (RFC 1952, section 2.3.1).
    package static let signature: [UInt8] = [0x1F, 0x8B]

    /// Returns the content of a document that may be compressed, and whether it ends early.
    ///
    /// - Parameter maximum: The maximum size of the content in bytes.
    /// - Throws: ``FetchError`` if the content is larger or nothing of it can be read.
    package static func content(of bytes: [UInt8], maximum: Int) throws(FetchError) -> (bytes: [UInt8], isCut: Bool) {
        var decoded: UnsafeMutablePointer<UInt8>?
        var count = 0
        let result = ccurl_decode(bytes, bytes.count, max(0, maximum), &decoded, &count)
        defer { free(decoded) }
        switch Int(result) {
        case CCURL_DECODED_TOO_LARGE: throw .bodyTooLarge(limit: maximum)
        case CCURL_DECODED_NO_MEMORY: throw .failed("no memory")
        case CCURL_DECODED_CUT where count == 0: throw .failed("the compressed document is damaged")
        default: break
        }
        guard let decoded else { return (bytes, false) }
        return (Array(UnsafeBufferPointer(start: decoded, count: count)), Int(result) == CCURL_DECODED_CUT)
    }
}
