import CSpawn
import Dashboard
import Fetching
import Foundation
import ModelCore
import Pictures

/// Loads pictures: from the program's own files, from a cache, or from the network; decodes them in a child process.
struct PictureLoader: Sendable {
    private let fetcher = Fetcher()
    private let program: String?
    /// Bytes that the cache may hold.
    private static let cacheLimit = 64 << 20
    /// No terminal shows more pixels than these.
    private static let most = (width: 1200, height: 900)
    /// In a text there is less room.
    private static let thumbnail = (width: 800, height: 600)

    init() { program = FileLocations.program }

    /// The file of a stage's picture that comes with the program.
    static func bundled(race: String, stage: Int) -> String? {
        // The name of a race is the user's: nothing of it may lead out of the folder.
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
                return .failure(PictureProblem("this picture does not come with the program"))
            }
            return await decode(file, PictureLoader.most)
        case .address(let url, let ownHost):
            return await load(url, ownHost: ownHost, PictureLoader.most)
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

    /// The file of a picture in the cache, fetched if need be.
    private func fetch(_ url: String, ownHost: String?) async throws(PictureProblem) -> String {
        let file = PictureLoader.file(url)
        if FileManager.default.fileExists(atPath: file) { return file }
        var request = FetchRequest(url: url, allowsPrivateHost: PageService.mayBePrivate(url, ownHost: ownHost))
        request.limits.body = PictureLimits.bytes
        let answer: FetchResponse
        do {
            answer = try await fetcher.fetch(request)
        } catch {
            throw PictureProblem(error.description)
        }
        guard (200..<300).contains(answer.status) else { throw PictureProblem("the server answered \(answer.status)") }
        do {
            _ = try PictureDecoder.probe(answer.body)
        } catch .notAPicture {
            let type = answer.headers["content-type"] ?? "something else"
            throw PictureProblem("this is no picture but \(type)")
        } catch {
            throw PictureProblem(error.description)
        }
        PictureLoader.makeRoom(for: answer.body.count)
        PictureLoader.makeFolder()
        guard PrivateFile.replace(file, with: Data(answer.body)) else {
            throw PictureProblem("the picture cannot be kept in \(FileLocations.pictures)")
        }
        return file
    }

    /// The file for what belongs to a name, in the cache.
    private static func file(_ name: String) -> String {
        let hash = name.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return FileLocations.pictures + "/" + String(hash, radix: 16)
    }

    private static func hintFile(_ request: PictureRequest) -> String {
        switch request {
        case .bundled(let race, let stage): file("\(race)/\(stage)") + ".hint"
        case .address(let url, _): file(url) + ".hint"
        case .thumbnail(let url, _): file(url) + ".small.hint"
        }
    }

    /// What is remembered of a picture: width and height in four bytes each, the lowest first, and its colours.
    static func hint(_ request: PictureRequest) -> PictureHint? {
        let data = FileManager.default.contents(atPath: hintFile(request)) ?? Data()
        guard data.count == 8 + PictureHint.bytes else { return nil }
        let bytes = Array(data)
        func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
        return PictureHint(width: number(0), height: number(4), colors: Array(bytes[8...]))
    }

    /// Remembers a picture's size and a few of its colours.
    static func keep(_ hint: PictureHint, of request: PictureRequest) {
        var bytes: [UInt8] = []
        for number in [hint.width, hint.height] {
            for place in 0..<4 { bytes.append(UInt8(number >> (8 * place) & 255)) }
        }
        makeFolder()
        PrivateFile.replace(hintFile(request), with: Data(bytes + hint.colors))
    }

    private static func makeFolder() {
        PrivateFile.makeFolder(
            URL(fileURLWithPath: FileLocations.pictures).deletingLastPathComponent().path, isOwn: true)
        PrivateFile.makeFolder(FileLocations.pictures, isOwn: true)
    }

    /// All that is kept.
    static let kept = KeptPictures(
        size: { files().reduce(0) { $0 + $1.size } },
        clear: {
            files().reduce(0) { bytes, file in
                unlink(file.path) == 0 ? bytes + file.size : bytes
            }
        })

    private static func files() -> [(path: String, size: Int64)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: FileLocations.pictures)) ?? []
        return names.compactMap { name in
            let path = FileLocations.pictures + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return (path, Int64(status.st_size))
        }
    }

    /// Deletes the oldest pictures until there is room for another.
    private static func makeRoom(for bytes: Int) {
        let folder = URL(fileURLWithPath: FileLocations.pictures)
        let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
        let files =
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))) ?? []
        var known = files.compactMap { file -> (file: URL, date: Date, size: Int)? in
            guard let values = try? file.resourceValues(forKeys: keys), let date = values.contentModificationDate else {
                return nil
            }
            return (file, date, values.fileSize ?? 0)
        }
        known.sort { $0.date < $1.date }
        var total = known.reduce(bytes) { $0 + $1.size }
        for item in known where total > cacheLimit {
            try? FileManager.default.removeItem(at: item.file)
            total -= item.size
        }
    }

    // MARK: Decoding

    private func decode(_ file: String, _ size: (width: Int, height: Int)) async -> Result<Picture, PictureProblem> {
        guard let program else { return .failure(PictureProblem("pictures cannot be decoded here")) }
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("tappa-\(UUID().uuidString)").path
        defer { unlink(output) }
        let words = [
            program, "decode-picture", file, String(size.width), String(size.height),
        ]
        guard let child = ChildProcess.start(words, output: output) else {
            return .failure(PictureProblem("pictures cannot be decoded here"))
        }
        let code = await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(returning: ChildProcess.wait(for: child))
            }
        }
        guard code == 0, let data = FileManager.default.contents(atPath: output), data.count >= 8 else {
            let reason = code < 0 ? "it needs more time or memory than a picture may" : "it is damaged, or too large"
            return .failure(PictureProblem("the picture cannot be shown: \(reason)"))
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
