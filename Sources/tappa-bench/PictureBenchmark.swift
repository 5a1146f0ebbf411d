import CTesting
import Foundation
import Pictures
import TerminalUI

final class ImagePage: ViewController {
    let image = ImageView()
    override func makeView() -> View { image }
}

/// Measures the time from a photograph to its first cells.
@MainActor
enum PictureBenchmark {
    /// Returns a JPEG of 4000 × 3000 pixels with the detail of a photograph, or `nil` if it can't be created.
    private static func makePhotograph() -> [UInt8]? {
        let (width, height) = (4000, 3000)
        var rgb = [UInt8](repeating: 0, count: width * height * 3)
        var noise: UInt32 = 1
        for y in 0..<height {
            for x in 0..<width {
                noise = noise &* 1_664_525 &+ 1_013_904_223
                let grain = Int(noise >> 28)
                let at = (y * width + x) * 3
                rgb[at] = UInt8(truncatingIfNeeded: x * 200 / width + grain)
                rgb[at + 1] = UInt8(truncatingIfNeeded: y * 200 / height + grain)
                rgb[at + 2] = UInt8(truncatingIfNeeded: ((x / 64) ^ (y / 64)) * 8 + grain)
            }
        }
        guard let compressor = tjInitCompress() else { return nil }
        defer { tjDestroy(compressor) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let result = tjCompress2(
            compressor, rgb, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &bytes, &count,
            Int32(TJSAMP_420.rawValue), 75, 0)
        guard result == 0, let bytes else { return nil }
        defer { tjFree(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    static func run(tappa: String) {
        guard let photograph = makePhotograph() else { return print("no photograph could be made") }
        let page = ImagePage()
        let application = Application(terminal: MemoryTerminal(size: Size(width: 120, height: 40)), root: page)
        var size = ""
        let decoding = ToolkitBenchmark.measure(10) { _ in
            size =
                (try? PictureDecoder.decode(photograph, wantedWidth: 1200, wantedHeight: 900))
                .map { "\($0.width) x \($0.height)" } ?? "damaged"
        }
        let cells = ToolkitBenchmark.measure(10) { _ in
            guard let picture = try? PictureDecoder.decode(photograph, wantedWidth: 1200, wantedHeight: 900) else {
                return
            }
            page.image.image = PixelBuffer(width: picture.width, height: picture.height, rgba: picture.rgba)
            application.render()
        }
        // Like the dashboard, in a child process with limits.
        let folder = FileManager.default.temporaryDirectory
        let (input, output) = (
            folder.appendingPathComponent("tappa-bench.jpg"), folder.appendingPathComponent("pixels")
        )
        defer { for file in [input, output] { try? FileManager.default.removeItem(at: file) } }
        try? Data(photograph).write(to: input)
        let child = ToolkitBenchmark.measure(10) { _ in
            try? Workload.run(tappa, ["decode-picture", input.path, "1200", "900"], output: output.path)
        }
        print(
            "JPEG of 4000 x 3000, \(photograph.count >> 10) KiB: decoded to \(size) \(decoding), to the first cells at "
                + "120x40 \(cells), by a child \(child) (median / p99 in ms)")
    }
}
