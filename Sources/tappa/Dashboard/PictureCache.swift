import Dashboard
import DashboardFrame
import Foundation
import LibraryKernel

/// The picture cache in a private folder, with hints about pictures.
struct PictureCache: Sendable {
    var folder = FileLocations.pictures
    /// The maximum size in bytes.
    var limit = 64 << 20

    func file(_ name: String) -> String {
        var hash = FNVHash()
        hash.combine(name.utf8)
        return folder + "/" + String(hash.value, radix: 16)
    }

    /// Stores the bytes of a picture. Returns `false` if they can't be written.
    func keep(_ bytes: [UInt8], of url: String) -> Bool {
        makeRoom(for: bytes.count)
        makeFolder()
        return PrivateFile.replace(file(url), with: Data(bytes))
    }

    // MARK: Hints

    private func hintFile(_ request: PictureRequest) -> String {
        switch request {
        case .bundled(let race, let stage): file("\(race)/\(stage)") + ".hint"
        case .address(let url, _): file(url) + ".hint"
        case .thumbnail(let url, _): file(url) + ".small.hint"
        }
    }

    /// Returns the stored hint for a picture: width and height in four little-endian bytes each, and colours.
    func hint(_ request: PictureRequest) -> PictureHint? {
        let data = PrivateFile.contents(hintFile(request)) ?? Data()
        guard data.count == 8 + PictureHint.bytes else { return nil }
        let bytes = Array(data)
        func number(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
        return PictureHint(width: number(0), height: number(4), colors: Array(bytes[8...]))
    }

    /// Stores the size and a few colours of a picture.
    func keep(_ hint: PictureHint, of request: PictureRequest) {
        var bytes: [UInt8] = []
        for number in [hint.width, hint.height] {
            for place in 0..<4 { bytes.append(UInt8(number >> (8 * place) & 255)) }
        }
        makeFolder()
        PrivateFile.replace(hintFile(request), with: Data(bytes + hint.colors))
    }

    private func makeFolder() {
        PrivateFile.makeFolder(URL(fileURLWithPath: folder).deletingLastPathComponent().path, isOwn: true)
        PrivateFile.makeFolder(folder, isOwn: true)
    }

    // MARK: Its size

    /// The size of the cache, and a function that clears it.
    var kept: KeptPictures {
        KeptPictures(
            size: { files().reduce(0) { $0 + $1.size } },
            clear: {
                files().reduce(0) { bytes, file in
                    unlink(file.path) == 0 ? bytes + file.size : bytes
                }
            })
    }

    private func files() -> [(path: String, size: Int64)] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            let path = folder + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return (path, Int64(status.st_size))
        }
    }

    /// Deletes the oldest pictures until another fits.
    private func makeRoom(for bytes: Int) {
        let keys: Set<URLResourceKey> = [.contentModificationDateKey, .fileSizeKey]
        let files =
            (try? FileManager.default.contentsOfDirectory(
                at: URL(fileURLWithPath: folder), includingPropertiesForKeys: Array(keys))) ?? []
        var known = files.compactMap { file -> (file: URL, date: Date, size: Int)? in
            guard let values = try? file.resourceValues(forKeys: keys), let date = values.contentModificationDate else {
                return nil
            }
            return (file, date, values.fileSize ?? 0)
        }
        known.sort { $0.date < $1.date }
        var total = known.reduce(bytes) { $0 + $1.size }
        for item in known where total > limit {
            try? FileManager.default.removeItem(at: item.file)
            total -= item.size
        }
    }
}
