import CPicture

/// A decoded picture: rows of red, green, blue and opacity, a byte each.
package struct Picture: Hashable, Sendable {
    /// Pixels across and down.
    package let width: Int
    package let height: Int
    package let rgba: [UInt8]

    package init(width: Int, height: Int, rgba: [UInt8]) {
        self.width = width
        self.height = height
        self.rgba = rgba
    }
}

/// What a picture's header says.
package struct PictureInfo: Hashable, Sendable {
    /// The format, told by the first bytes.
    package enum Format: String, Hashable, Sendable {
        case jpeg = "JPEG"
        case png = "PNG"
        case gif = "GIF"
        case webp = "WebP"
    }

    package var format: Format
    package var width: Int
    package var height: Int
}

/// Why a picture is not shown.
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

/// What a picture may cost.
package enum PictureLimits {
    package static let bytes = 10 << 20
    package static let pixels = 25_000_000
    package static let side = 16_384
}

/// Reads pictures.
package enum PictureDecoder {
    /// Reads format and size; nothing is decoded or allocated.
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

    /// Decodes the first frame, scaled down to no less than the wanted size where the picture has that.
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
}

extension PictureDecoder {
    /// libspng and libwebp, with their versions.
    package static var libraryVersions: [String] {
        let webp = cpic_webp_version()
        return [
            "libspng \(cpic_spng_version().map { String(cString: $0) } ?? "")",
            "libwebp \(webp >> 16).\(webp >> 8 & 0xFF).\(webp & 0xFF)",
        ]
    }
}
