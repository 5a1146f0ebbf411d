import Foundation
import Testing

@testable import Pictures

/// Small pictures of each format. At (x, y) the 6 x 4 samples have the color (10x, 10y, 5x + 5y) and the opacity 255 − x; the GIFs
/// use red, green, blue and a dark color.
private enum Samples {
    static func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

    static let png = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAYAAACtBE5DAAAAT0lEQVR42g3JKQIAIQwDwBhMDCYGE4Op7v9ftuVYxg4AXKIdgdvoK6BKjA9guySP2LepFRyV9AvxUv1I2tZYIVdqvnC/tI48tu0VnpWO7wdeCx1NtSKDsAAAAABJRU5ErkJggg=="
    )
    static let interlaced = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAECAYAAAHaA37VAAAAUElEQVR42g3JKQIAIQwDwBhMDCYGE4Op7v9fRjl2xw4APARUEHgA8Uk6IReIdo2+E2OB6tcaOzUXwPZIXrEfUzs4Kuk/3B+tK49je4dnpWN9fOYdTVRS7kQAAAAASUVORK5CYII="
    )
    static let rgb = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR42mNgYOfgZOcAAAB7AChadB+3AAAAAElFTkSuQmCC")
    static let trns = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAABnRSTlMACQAHAAhoIvtXAAAAD0lEQVR42mNgYOfgZOcAAAB7AChadB+3AAAAAElFTkSuQmCC"
    )
    static let gif = bytes("R0lGODlhBAADAIEAAP8AAAD/AAAA/woUHiH+A2FiYwAsAAAAAAQAAwAAAghEqDHiQI1IAQA7")
    static let gifInterlaced = bytes("R0lGODlhAgAJAIEAAP8AAAD/AAAA/woUHiH+A2FiYwAsAAAAAAIACQBAAgtEiBChRo0RB0YcCgA7")
    static let gifTwo = bytes(
        "R0lGODlhAwACAIEAAP8AAAD/AAAA/woUHiH+A2FiYwAsAQABAAEAAQCAAQIDBAUGAgJMAQAh/gNhYmMALAAAAAADAAIAAAIEBAgQKAA7")
    static let gifOutside = bytes("R0lGODlhAgACAIEAAP8AAAD/AAAA/woUHiH+A2FiYwAsAQABAAQABAAAAgqUKFGiRIkSJUoFADs=")
    static let jpeg = bytes(
        "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJBwYGCAsICQoKCgoKBggLDAsKDAkKCgr/2wBDAQICAgICAgUDAwUKBwYHCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgr/wAARCAAQACADAREAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD4nr8HP9aAoA+e6/3gP8WwoA+hK/wfP9pAoA+e6/3gP8WwoA//2Q=="
    )
    static let webp = bytes("UklGRjAAAABXRUJQVlA4TCMAAAAvBcAAEJmM6H9sClGIgvc/oKZtA6Z3+TPeEEYh5n8CAFZ2AAA=")

    static let (red, green, blue, dark): ([UInt8], [UInt8], [UInt8], [UInt8]) = (
        [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [10, 20, 30, 255]
    )
    static let none: [UInt8] = [0, 0, 0, 0]

    /// The pixels of the 6 x 4 samples, averaged over squares of `step` pixels.
    static func pixels(step: Int = 1) -> [UInt8] {
        (0..<4 / step).flatMap { y in
            (0..<6 / step).flatMap { x in
                var sums = [0, 0, 0, 0]
                for inner in 0..<step * step {
                    let (a, b) = (x * step + inner % step, y * step + inner / step)
                    for (index, value) in [a * 10, b * 10, (a + b) * 5, 255 - a].enumerated() { sums[index] += value }
                }
                return sums.map { UInt8($0 / (step * step)) }
            }
        }
    }
}

/// Size, pixels, scaling and damage of each picture format.
@Suite struct EachFormatTests {
    private func decode(_ bytes: [UInt8], _ width: Int = 100, _ height: Int = 100) throws -> Picture {
        try PictureDecoder.decode(bytes, wantedWidth: width, wantedHeight: height)
    }

    @Test func readsFormatAndSizeFromTheHeader() throws {
        for (bytes, format, width, height) in [
            (Samples.png, PictureInfo.Format.png, 6, 4), (Samples.interlaced, .png, 6, 4), (Samples.rgb, .png, 2, 1),
            (Samples.gif, .gif, 4, 3), (Samples.gifInterlaced, .gif, 2, 9),
            (Samples.jpeg, .jpeg, 32, 16), (Samples.webp, .webp, 6, 4),
        ] {
            #expect(try PictureDecoder.probe(bytes) == PictureInfo(format: format, width: width, height: height))
            let picture = try decode(bytes)
            #expect(picture.width == width && picture.height == height && picture.rgba.count == width * height * 4)
        }
        var old = Samples.gif
        old[4] = UInt8(ascii: "7")
        #expect(try PictureDecoder.probe(old).format == .gif)
        for (sample, indexes) in [
            (Samples.png, [0, 3, 5, 13]), (Samples.gif, [0, 3, 5]), (Samples.jpeg, [0, 1, 2]), (Samples.webp, [0, 8]),
        ] {
            for index in indexes {
                var other = sample
                other[index] ^= 0x40
                #expect(throws: PictureError.notAPicture) { try PictureDecoder.probe(other) }
            }
        }
    }

    @Test func decodesPixels() throws {
        for bytes in [Samples.png, Samples.interlaced, Samples.webp] {
            #expect(try decode(bytes).rgba == Samples.pixels())
        }
        #expect(try decode(Samples.rgb).rgba == [0, 7, 8, 255, 9, 7, 8, 255])
        #expect(try decode(Samples.trns).rgba == [0, 7, 8, 255, 9, 7, 8, 0])
        let colors = [Samples.red, Samples.green, Samples.blue, Samples.dark]
        #expect(try decode(Samples.gif).rgba == (0..<3).flatMap { y in (0..<4).flatMap { colors[($0 + y) % 4] } })
        #expect(
            try decode(Samples.gifInterlaced).rgba == (0..<9).flatMap { y in (0..<2).flatMap { colors[($0 + y) % 4] } })
        let halves = try decode(Samples.jpeg).rgba
        for (x, color) in [(2, [200, 20, 20]), (12, [200, 20, 20]), (20, [20, 20, 200]), (30, [20, 20, 200])] {
            for y in [0, 8, 15] {
                let pixel = halves[(y * 32 + x) * 4..<(y * 32 + x) * 4 + 4].map { Int($0) }
                #expect(zip(pixel, color).allSatisfy { abs($0 - $1) < 12 } && pixel[3] == 255, "\(x) \(y): \(pixel)")
            }
        }
    }

    /// The first frame with its own colors; pixels outside of it are transparent.
    @Test func decodesTheFirstFrameInItsPlace() throws {
        let (none, blue) = (Samples.none, Samples.blue)
        #expect(try decode(Samples.gifTwo).rgba == [none, none, none, none, [4, 5, 6, 255], none].flatMap { $0 })
        #expect(try decode(Samples.gifOutside).rgba == [none, none, none, blue].flatMap { $0 })
    }

    /// A graphic control extension names the transparent colour of the frame that follows it.
    @Test(arguments: 0..<4) func leavesOutTheTransparentColor(index: Int) throws {
        let colors = [Samples.red, Samples.green, Samples.blue, Samples.dark]
        func decoded(flags: UInt8) throws -> [UInt8] {
            var bytes = Samples.gif
            // After the header and the table of four colours.
            bytes.insert(contentsOf: [0x21, 0xF9, 4, flags, 0, 0, UInt8(index), 0], at: 25)
            return try decode(bytes).rgba
        }
        let expected = (0..<3).flatMap { y in
            (0..<4).flatMap { ($0 + y) % 4 == index ? Samples.none : colors[($0 + y) % 4] }
        }
        #expect(try decoded(flags: 1) == expected)
        #expect(try decoded(flags: 0) == decode(Samples.gif).rgba)
    }

    /// All pixels of a white picture become one: their sum exceeds 32 bits.
    @Test func averagesEveryPixelOfALargePicture() throws {
        let side = 4200
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            let length = (0..<4).map { UInt8(data.count >> (24 - 8 * $0) & 0xFF) }
            return length + Array(name.utf8) + data + [0, 0, 0, 0]
        }
        let size = [0, 0, UInt8(side >> 8), UInt8(side & 0xFF)]
        let row = [0] + [UInt8](repeating: 0xFF, count: side / 8)
        let rows = (0..<side).flatMap { _ in row }
        // Blocks of data that are not compressed.
        var data: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: rows.count, by: 65_535) {
            let part = rows[start..<min(rows.count, start + 65_535)]
            let (low, high) = (UInt8(part.count & 0xFF), UInt8(part.count >> 8))
            data += [part.endIndex == rows.count ? 1 : 0, low, high, ~low, ~high] + part
        }
        data += [0, 0, 0, 0]
        let picture = try decode(
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", size + size + [1, 0, 0, 0, 0])
                + chunk("IDAT", data) + chunk("IEND", []), 1, 1)
        #expect(picture.width == 1 && picture.height == 1 && picture.rgba == [255, 255, 255, 255])
    }

    @Test func scalesDownToNoLessThanTheWantedSize() throws {
        for (wanted, step) in [
            ((6, 4), 1), ((4, 4), 1), ((6, 1), 1), ((3, 2), 2), ((3, 1), 2), ((1, 2), 2), ((2, 1), 3), ((1, 1), 4),
            ((0, 0), 4), ((-5, 1), 4), ((4, 1), 1),
        ] {
            for bytes in [Samples.png, Samples.webp] {
                let picture = try decode(bytes, wanted.0, wanted.1)
                #expect(picture.width == 6 / step && picture.height == 4 / step, "\(wanted)")
            }
            #expect(try decode(Samples.png, wanted.0, wanted.1).rgba == Samples.pixels(step: step), "\(wanted)")
            // Interlaced PNGs and GIFs are not scaled.
            #expect(
                try decode(Samples.interlaced, wanted.0, wanted.1).rgba == Samples.pixels()
                    && decode(Samples.gif, wanted.0, wanted.1).width == 4)
        }
        for (wanted, width) in [
            ((32, 16), 32), ((17, 8), 32), ((16, 9), 32), ((16, 8), 16), ((9, 1), 16), ((8, 4), 8), ((5, 1), 8),
            ((4, 2), 4), ((1, 1), 4),
        ] {
            let picture = try decode(Samples.jpeg, wanted.0, wanted.1)
            #expect(picture.width == width && picture.height == width / 2, "\(wanted)")
        }
    }

    @Test func refusesLargePicturesBeforeDecoding() {
        func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
            var bytes = Samples.png
            for (index, value) in [width, height].enumerated() {
                for byte in 0..<4 {
                    bytes[16 + index * 4 + byte] = UInt8(truncatingIfNeeded: value >> UInt32(24 - byte * 8))
                }
            }
            return bytes
        }
        for (width, height, isRead) in [
            (16_384, 1, true), (1, 16_384, true), (16_385, 1, false), (1, 16_385, false), (5_000, 5_000, true),
            (5_001, 5_000, false), (16_384, 1_525, true), (16_384, 1_526, false),
        ] {
            let result = try? PictureDecoder.probe(png(UInt32(width), UInt32(height)))
            #expect(
                result.map { $0.width == width && $0.height == height } == (isRead ? true : nil), "\(width) x \(height)"
            )
            if !isRead {
                #expect(throws: PictureError.tooLarge(width: width, height: height)) {
                    try decode(png(UInt32(width), UInt32(height)), 1, 1)
                }
            }
        }
        for (width, height) in [(0, 5), (5, 0), (0x8000_0000, 5), (5, 0xFFFF_FFFF)] as [(UInt32, UInt32)] {
            #expect(throws: PictureError.notAPicture) { try PictureDecoder.probe(png(width, height)) }
        }
        let whole = Samples.png + [UInt8](repeating: 0, count: 10 << 20 - Samples.png.count)
        #expect(throws: Never.self) { try PictureDecoder.probe(whole) }
        #expect(throws: PictureError.tooManyBytes(10 << 20 + 1)) { try PictureDecoder.probe(whole + [0]) }
    }

    @Test func decodesWhatATruncatedPictureHas() throws {
        let jpeg = try decode(Array(Samples.jpeg.dropLast(20)))
        #expect(jpeg.width == 32 && jpeg.rgba[0] > 150 && jpeg.rgba[2] < 60)
        #expect(try decode(Array(Samples.png.dropLast(16))).rgba.prefix(8) == Samples.pixels().prefix(8))
        let gif = try decode(Array(Samples.gif.dropLast(1)))
        #expect(gif.rgba.prefix(4) == Samples.red[...])
        // A file without image data is damaged.
        for (bytes, format) in [
            (Array(Samples.gif.prefix(25)) + [0x3B], PictureInfo.Format.gif), (Array(Samples.webp.prefix(40)), .webp),
            (Array(Samples.png.prefix(33)), .png),
        ] { #expect(throws: PictureError.damaged(format)) { try decode(bytes, 9, 9) } }
    }

    @Test func explainsPictureErrors() {
        for (error, text) in [
            (PictureError.notAPicture, "this is not a JPEG, PNG, GIF or WebP picture"),
            (.tooManyBytes(11 << 20), "the picture has 11 MiB; the limit is 10"),
            (.tooLarge(width: 5, height: 6), "the picture is too large: 5 x 6"),
            (.damaged(.webp), "the WebP picture is damaged"),
        ] { #expect(error.description == text) }
        let versions = PictureDecoder.libraryVersions
        #expect(
            versions.count == 2 && versions[0].hasPrefix("libspng 0.")
                && versions[1].wholeMatch(of: /libwebp \d+\.\d+\.\d+/) != nil)
    }
}
