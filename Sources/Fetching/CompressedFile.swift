import Platform

/// A file that a server compressed on its way.
package enum CompressedFile {
    /// Replaces a file of gzip by its content. Any other file stays as it is.
    ///
    /// - Parameter most: The maximum size of the file and of its content in bytes.
    /// - Throws: ``FetchError`` if the file is larger, damaged or can't be written.
    package static func decode(_ path: String, most: Int) throws(FetchError) {
        guard let bytes = FileReading.bytes(path, most: most) else { throw .bodyTooLarge(limit: most) }
        guard bytes.starts(with: [0x1F, 0x8B]) else { return }
        let content = try CompressedDocument.content(of: bytes, most: most)
        guard !content.isCut else { throw .failed("the compressed file ends early") }
        let descriptor = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw .cannotWrite(path) }
        defer { close(descriptor) }
        var written = 0
        while written < content.bytes.count {
            let count = content.bytes.withUnsafeBytes { bytes in
                write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .cannotWrite(path) }
            written += count
        }
    }
}
