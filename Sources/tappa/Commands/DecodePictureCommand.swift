import ArgumentParser
import Foundation
import Pictures
import Platform

/// Decodes a picture within limits. The dashboard runs it as a child process, because decoders handle untrusted data.
struct DecodePictureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode-picture", abstract: "Decode a picture for the dashboard.", shouldDisplay: false)

    @Argument var file: String
    @Argument var width: Int
    @Argument var height: Int

    /// The limits beyond the program's own memory in bytes, and of processor time in seconds.
    private static let memory = 256 << 20
    private static let time = 5
    /// The maximum size of a file in bytes.
    private static let maximumBytes = 64 << 20

    func run() throws {
        DecodePictureCommand.setLimits()
        guard let data = FileReading.bytes(file, maximum: DecodePictureCommand.maximumBytes) else {
            throw ExitStatus.noInput
        }
        let picture: Picture
        do {
            picture = try PictureDecoder.decode(data, wantedWidth: width, wantedHeight: height)
        } catch {
            throw fail("\(error)", ExitStatus.badData)
        }
        var header = Data()
        for value in [UInt32(picture.width), UInt32(picture.height)] {
            withUnsafeBytes(of: value.littleEndian) { header.append(contentsOf: $0) }
        }
        StandardOutput.write(header + Data(picture.rgba))
    }

    private static func setLimits() {
        let pages = FileReading.bytes("/proc/self/statm", maximum: 4096).map { String(decoding: $0, as: UTF8.self) }
        let used = (pages?.split(separator: " ").first.flatMap { Int($0) } ?? 65_536) * 4096
        var space = rlimit(rlim_cur: rlim_t(used + memory), rlim_max: rlim_t(used + memory))
        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &space)
        var seconds = rlimit(rlim_cur: rlim_t(time), rlim_max: rlim_t(time))
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &seconds)
        // This also limits the time spent waiting.
        alarm(UInt32(time * 2))
    }
}
