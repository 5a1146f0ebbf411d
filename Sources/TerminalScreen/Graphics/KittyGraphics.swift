import Foundation

/// Writes commands of kitty's graphics protocol: <https://sw.kovidgoyal.net/kitty/graphics-protocol/>.
enum KittyGraphics {
    /// The maximum payload of a command in bytes, as the protocol requires.
    private static let chunk = 4096

    /// Returns the commands that transmit a picture, which is invisible until cells with its placeholders are drawn. They
    /// are written in order, without others of this protocol in between.
    static func transmission(
        of picture: PixelBuffer, number: UInt32, cells: Size, throughTmux: Bool
    ) -> [[UInt8]] {
        let payload = Array(Data(opaque(picture)).base64EncodedData())
        return stride(from: 0, to: max(1, payload.count), by: chunk).map { start in
            let end = min(payload.count, start + chunk)
            // q=2 suppresses answers, which would arrive as keys.
            let first =
                "a=T,U=1,i=\(number),f=24,s=\(picture.width),v=\(picture.height),c=\(cells.width),r=\(cells.height),"
            return command(
                "\(start == 0 ? first : "")q=2,m=\(end < payload.count ? 1 : 0)", payload[start..<end],
                throughTmux: throughTmux)
        }
    }

    static func deletion(number: UInt32, throughTmux: Bool) -> [UInt8] {
        command("a=d,d=I,i=\(number),q=2", [], throughTmux: throughTmux)
    }

    private static func command(_ keys: String, _ payload: ArraySlice<UInt8>, throughTmux: Bool) -> [UInt8] {
        let body = Array("G\(keys);".utf8) + payload
        let escape: [UInt8] = [0x1B]
        guard throughTmux else { return escape + [0x5F] + body + escape + [0x5C] }
        // tmux passes on the content of its own sequence, in which each Esc is doubled.
        let start = escape + Array("Ptmux;".utf8)
        return start + escape + escape + [0x5F] + body + escape + escape + [0x5C] + escape + [0x5C]
    }

    /// Returns red, green and blue of each pixel over black.
    private static func opaque(_ picture: PixelBuffer) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(picture.width * picture.height * 3)
        for index in stride(from: 0, to: picture.rgba.count, by: 4) {
            let opacity = Int(picture.rgba[index + 3])
            for channel in 0..<3 { bytes.append(UInt8(Int(picture.rgba[index + channel]) * opacity / 255)) }
        }
        return bytes
    }
}
