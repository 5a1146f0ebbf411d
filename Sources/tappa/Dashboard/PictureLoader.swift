import CSpawn
import Dashboard
import DashboardFrame
import Feeds
import Fetching
import Foundation
import LibraryKernel
import Pictures

/// Loads pictures from bundled files, the cache or the network, and decodes them in a child process.
struct PictureLoader: Sendable {
    private let fetcher = Fetcher()
    private let program: String?
    private let cache: PictureCache
    /// The maximum size in pixels, which no terminal exceeds.
    private static let maximum = (width: 1200, height: 900)
    /// The maximum size in a text, where there is less space.
    private static let thumbnail = (width: 800, height: 600)

    /// - Parameter program: The path of this program, which decodes pictures as a child process.
    init(cache: PictureCache = PictureCache(), program: String? = FileLocations.program) {
        self.program = program
        self.cache = cache
    }

    /// Returns the file of a stage's bundled picture.
    static func bundled(race: String, stage: Int) -> String? {
        // The user chooses the name of a race, which must not lead out of the folder.
        guard race.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }), let assets = FileLocations.assets else {
            return nil
        }
        let number = stage < 10 ? "0\(stage)" : "\(stage)"
        let file = assets.appendingPathComponent("pictures/\(race)/\(number).png").path
        return FileManager.default.fileExists(atPath: file) ? file : nil
    }

    func load(_ request: PictureRequest) async -> Result<Picture, PictureProblem> {
        switch request {
        case .bundled(let race, let stage):
            guard let file = PictureLoader.bundled(race: race, stage: stage) else {
                return .failure(PictureProblem("this picture is not included with tappa"))
            }
            return await decode(file, PictureLoader.maximum)
        case .address(let url, let ownHost):
            return await load(url, ownHost: ownHost, PictureLoader.maximum)
        case .thumbnail(let url, let ownHost):
            return await load(url, ownHost: ownHost, PictureLoader.thumbnail)
        }
    }

    private func load(_ url: String, ownHost: String?, _ size: (width: Int, height: Int)) async
        -> Result<Picture, PictureProblem>
    {
        do throws(PictureProblem) {
            return await decode(try await fetch(url, ownHost: ownHost), size)
        } catch {
            return .failure(error)
        }
    }

    // MARK: Fetching

    /// Returns the file of a picture in the cache, and fetches it if necessary.
    private func fetch(_ url: String, ownHost: String?) async throws(PictureProblem) -> String {
        let file = cache.file(url)
        if FileManager.default.fileExists(atPath: file) { return file }
        var request = FetchRequest(url: url, allowsPrivateHost: TrustedHost.mayBePrivate(url, ownHost: ownHost))
        request.limits.body = PictureLimits.bytes
        let answer: FetchResponse
        do {
            answer = try await fetcher.fetch(request)
        } catch {
            throw PictureProblem(error.description)
        }
        guard (200..<300).contains(answer.status) else { throw PictureProblem(HTTPStatus.sentence(for: answer.status)) }
        do {
            _ = try PictureDecoder.probe(answer.body)
        } catch .notAPicture {
            let type = answer.headers["content-type"] ?? "something else"
            throw PictureProblem("this is not a picture but \(type)")
        } catch {
            throw PictureProblem(error.description)
        }
        guard cache.keep(answer.body, of: url) else {
            throw PictureProblem("can't store the picture in \(cache.folder)")
        }
        return file
    }

    // MARK: Decoding

    private func decode(_ file: String, _ size: (width: Int, height: Int)) async -> Result<Picture, PictureProblem> {
        guard let program else { return .failure(PictureProblem("pictures can't be decoded here")) }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("tappa-\(UUID().uuidString)").path
        defer { unlink(output) }
        let words = [
            program, "decode-picture", file, String(size.width), String(size.height),
        ]
        guard let child = ChildProcess.start(words, output: output) else {
            return .failure(PictureProblem("pictures can't be decoded here"))
        }
        let code = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(returning: ChildProcess.wait(for: child))
            }
        }
        guard code == 0, let data = PrivateFile.contents(output), data.count >= 8 else {
            let reason = code < 0 ? "it takes too much time or memory" : "damaged or too large"
            return .failure(PictureProblem("can't show the picture: \(reason)"))
        }
        let sizes = data.prefix(8).withUnsafeBytes { raw in
            (
                Int(raw.loadUnaligned(as: UInt32.self).littleEndian),
                Int(raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self).littleEndian)
            )
        }
        guard data.count - 8 == sizes.0.multipliedClamped(by: sizes.1).multipliedClamped(by: 4) else {
            return .failure(PictureProblem("the picture is damaged"))
        }
        return .success(Picture(width: sizes.0, height: sizes.1, rgba: Array(data.dropFirst(8))))
    }
}
