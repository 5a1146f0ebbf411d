import CommonTesting
import Foundation
import Testing

/// A child process with limited memory and time decodes pictures.
@Suite(.timeLimit(.minutes(10))) struct HostilePictures: ProgramSuite {
    let temporary = TemporaryFolder()

    private static let png: [UInt8] = Array(
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==")
            ?? Data())

    private func decode(_ bytes: [UInt8]) throws -> Program.Outcome {
        let file = temporary.path("picture")
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        return tappa("decode-picture", file, "100", "100")
    }

    @Test func decodesAPicture() throws { #expect(try decode(HostilePictures.png).code == 0) }

    @Test func rejectsLargeTruncatedOrMislabelledPictures() throws {
        var huge = HostilePictures.png
        huge.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
        #expect(try decode(huge).errors.contains("too large: 65535 x 65535"))
        #expect(try decode(Array(HostilePictures.png.prefix(50))).code == 65)
        #expect(
            try decode(Array("<html>no picture</html>".utf8)).errors.contains(
                "this is not a JPEG, PNG, GIF or WebP picture"))
        #expect(try decode([0xFF, 0xD8, 0xFF] + Array(HostilePictures.png)).code == 65)
        #expect(try decode([]).code == 65)
    }

    @Test func decodesTheFirstOfManyFrames() throws {
        var gif: [UInt8] = Array("GIF89a".utf8) + [100, 0, 100, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 0]
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        for _ in 0..<20_000 { gif += frame }
        gif.append(0x3B)
        #expect(try decode(gif).code == 0)
    }
}
