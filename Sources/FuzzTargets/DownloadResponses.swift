import Feeds

/// Passes responses to a download, one for each line and repeatedly: `STATUS|ETAG|LAST-MODIFIED|CONTENT-RANGE|BYTES`.
/// The first line describes the existing file: `LENGTH|SIZE|VALIDATOR`. It checks that bytes and requests stay limited.
func readAnswers(_ text: String) throws {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(64).map { line in
        line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    }
    guard let first = lines.first, lines.count > 1 else { return }
    func field(_ line: [String], _ index: Int) -> String? {
        line.indices.contains(index) && !line[index].isEmpty ? line[index] : nil
    }
    func bytes(_ line: [String], _ index: Int) -> Int64 {
        field(line, index).flatMap { Int64($0) }.map { max(0, $0) } ?? 0
    }
    var progress = DownloadProgress(
        length: bytes(first, 0), size: field(first, 1).flatMap { Int64($0) }, validator: field(first, 2))
    var (answers, received, last, restarts): (Int64, Int64, Int64, Int) = (0, 0, 0, 0)
    while answers < 2000 {
        for line in lines.dropFirst() {
            let range = progress.nextRange
            if range.lowerBound < last { restarts += 1 }
            last = range.lowerBound
            try check(restarts <= 2, "the download restarts again and again")
            try check(range.lowerBound >= 0 && range.lowerBound <= DownloadProgress.maximumBytes, "an impossible range")
            let status = field(line, 0).flatMap { Int($0) } ?? 206
            // Responses with other statuses write nothing, and a single response has its own limit.
            let written = min(bytes(line, 4), DownloadProgress.maximumBytesAtOnce)
            let length = status == 206 ? range.lowerBound + written : status == 200 ? written : range.lowerBound
            let answer = DownloadProgress.Answer(
                status: status, etag: field(line, 1), lastModified: field(line, 2), contentRange: field(line, 3))
            let decision = progress.take(answer, fileLength: length)
            answers += 1
            if status == 206 { received += written }
            switch decision {
            case .goOn: try check((answers - 20) << 16 <= received, "the download doesn't end")
            case .finish: return try check(progress.length == length, "the file is not complete")
            case .fail(let reason): return try check(!reason.isEmpty && !reason.hasSuffix("."), "no reason")
            }
        }
    }
}
