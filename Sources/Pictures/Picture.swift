import CPicture

/// A decoded picture as rows of pixels with red, green, blue and opacity, one byte each.
package struct Picture: Hashable, Sendable {
    /// The size in pixels.
    package let width: Int
    package let height: Int
    package let rgba: [UInt8]

    package init(width: Int, height: Int, rgba: [UInt8]) {
        self.width = width
        self.height = height
        self.rgba = rgba
    }
}

/// The content of a picture's header.
package struct PictureInfo: Hashable, Sendable {
    /// The format, recognised by the first bytes.
    package enum Format: String, Hashable, Sendable {
        case jpeg = "JPEG"
        case png = "PNG"
        case gif = "GIF"
        case webp = "WebP"
    }

    var format: Format
    var width: Int
    var height: Int
}

/// The reason why a picture can't be shown.
package enum PictureError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAPicture
    case tooManyBytes(Int)
    case tooLarge(width: Int, height: Int)
    case damaged(PictureInfo.Format)

    package var description: String {
        switch self {
        case .notAPicture: "this is not a JPEG, PNG, GIF or WebP picture"
        case .tooManyBytes(let count): "the picture has \(count >> 20) MiB; the limit is \(PictureLimits.bytes >> 20)"
        case .tooLarge(let width, let height): "the picture is too large: \(width) x \(height)"
        case .damaged(let format): "the \(format.rawValue) picture is damaged"
        }
    }
}

/// The limits for pictures.
package enum PictureLimits {
    package static let bytes = 10 << 20
    static let pixels = 25_000_000
    static let side = 16_384
}

/// Decodes pictures.
package enum PictureDecoder {
    /// Reads format and size without decoding or allocating anything.
    package static func probe(_ bytes: [UInt8]) throws(PictureError) -> PictureInfo {
        guard bytes.count <= PictureLimits.bytes else { throw .tooManyBytes(bytes.count) }
        var info = cpic_info()
        guard cpic_probe(bytes, bytes.count, &info) == 0 else { throw .notAPicture }
        let formats: [Int: PictureInfo.Format] = [CPIC_JPEG: .jpeg, CPIC_PNG: .png, CPIC_GIF: .gif, CPIC_WEBP: .webp]
        guard let format = formats[Int(info.kind)] else { throw .notAPicture }
        let (width, height) = (Int(info.width), Int(info.height))
        guard width <= PictureLimits.side, height <= PictureLimits.side, width * height <= PictureLimits.pixels else {
            throw .tooLarge(width: width, height: height)
        }
        return PictureInfo(format: format, width: width, height: height)
    }

    /// Decodes the first frame, scaled down to at least the wanted size if the picture is larger.
    package static func decode(_ bytes: [UInt8], wantedWidth: Int, wantedHeight: Int) throws(PictureError) -> Picture {
        let info = try probe(bytes)
        var rgba: UnsafeMutablePointer<UInt8>?
        var width: Int32 = 0
        var height: Int32 = 0
        let result = cpic_decode(
            bytes, bytes.count, Int32(clamping: wantedWidth), Int32(clamping: wantedHeight), &rgba, &width, &height)
        guard result == 0, let rgba else { throw .damaged(info.format) }
        defer { cpic_free(rgba) }
        let count = Int(width) * Int(height) * 4
        return Picture(
            width: Int(width), height: Int(height), rgba: Array(UnsafeBufferPointer(start: rgba, count: count)))
    }

    /// The versions of libspng and libwebp.
    package static var libraryVersions: [String] {
        let webp = cpic_webp_version()
        return [
            "libspng \(cpic_spng_version().map { String(cString: $0) } ?? "")",
            "libwebp \(webp >> 16).\(webp >> 8 & 0xFF).\(webp & 0xFF)",
        ]
    }
}
