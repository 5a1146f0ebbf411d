import Fetching
import Foundation

struct WorldRecordings {
    var behaviour = WorldEvent.Behaviour.fine
    private var versions: [Int: Int] = [:]
    var sending: Set<Int> = []

    static func address(_ site: Int, _ number: Int) -> String { "https://site\(site).example/recording/\(number).mp3" }

    mutating func replace(_ number: Int) { versions[number, default: 0] += 1 }

    /// Returns the bytes of a recording, some of which arrive in two parts.
    private static func bytes(_ number: Int, version: Int) -> [UInt8] {
        Array("ID3 \(number) \(version) ".utf8)
            + [UInt8](
                repeating: UInt8(number * 16 + version % 16), count: number % 4 == 0 ? 9 << 20 : 100_000 + version)
    }

    /// Whether a file is one of the versions of a recording, without a part of another.
    func has(_ file: Data, _ number: Int) -> Bool {
        (0...versions[number, default: 0]).contains { file == Data(WorldRecordings.bytes(number, version: $0)) }
    }

    /// Returns the answer to a request. Sites with odd numbers send whole files only.
    func answer(_ request: SimulatedNetwork.Request, _ number: Int, site: Int) throws(FetchError)
        -> SimulatedNetwork.Answer
    {
        if let failure = try WorldSite.failure(behaviour) { return failure }
        let version = versions[number, default: 0]
        let (bytes, tag) = (WorldRecordings.bytes(number, version: version), "\"\(number).\(version)\"")
        var headers = ["content-type": "audio/mpeg", "etag": tag]
        let range = request.headers["range"]?.dropFirst(6).split(separator: "-").compactMap { Int($0) } ?? []
        let (isCut, seconds): (Bool, Int64) = (behaviour == .half, behaviour == .slow ? 3000 : 0)
        guard range.count == 2, site % 2 == 0, request.headers["if-range"].map({ $0 == tag }) ?? true else {
            let body = isCut ? Array(bytes.prefix(bytes.count / 2)) : bytes
            return .init(200, headers: headers, body: body, isCut: isCut, seconds: seconds)
        }
        guard range[0] < bytes.count else { return .init(416, headers: ["content-range": "bytes */\(bytes.count)"]) }
        let end = min(bytes.count, range[1] + 1)
        headers["content-range"] = "bytes \(range[0])-\(end - 1)/\(bytes.count)"
        let part = bytes[range[0]..<(isCut ? (range[0] + end) / 2 : end)]
        return .init(206, headers: headers, body: Array(part), isCut: isCut, seconds: seconds)
    }
}
