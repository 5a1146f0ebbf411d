import Foundation
import Testing

@testable import Pictures

@Suite struct PictureTests {
    /// A GIF of one red pixel.
    private let gif: [UInt8] = Array(Data(base64Encoded: "R0lGODdhAQABAIABAP8AAP///ywAAAAAAQABAAACAkQBADs=") ?? Data())
    /// A PNG of one pixel.
    private let png: [UInt8] = Array(
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
            ?? Data())

    @Test func recognizesAndDecodesFormats() throws {
        #expect(try PictureDecoder.probe(gif) == PictureInfo(format: .gif, width: 1, height: 1))
        #expect(try PictureDecoder.decode(gif, wantedWidth: 10, wantedHeight: 10).rgba == [255, 0, 0, 255])
        #expect(try PictureDecoder.probe(png) == PictureInfo(format: .png, width: 1, height: 1))
        #expect(try PictureDecoder.decode(png, wantedWidth: 10, wantedHeight: 10).rgba.count == 4)
    }

    @Test func rejectsTooLargePicturesBeforeDecoding() {
        var large = png
        large.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
        #expect(throws: PictureError.tooLarge(width: 65_535, height: 65_535)) { try PictureDecoder.probe(large) }
        #expect(throws: PictureError.notAPicture) { try PictureDecoder.probe(Array("<svg/>".utf8)) }
        #expect(throws: PictureError.notAPicture) { try PictureDecoder.probe([]) }
    }

    @Test func truncatedBytesNeverCrash() {
        for bytes in [gif, png] {
            for count in 0..<bytes.count {
                _ = try? PictureDecoder.decode(Array(bytes[..<count]), wantedWidth: 4, wantedHeight: 4)
            }
        }
    }
}
