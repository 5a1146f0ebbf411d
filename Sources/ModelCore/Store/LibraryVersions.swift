import CSQLiteFunctions
import LibraryKernel

extension Library {
    /// The names and versions of the SQLite, PCRE2 and Zstandard libraries.
    package static var libraryVersions: [String] {
        var text = [CChar](repeating: 0, count: 64)
        cre_version(&text)
        let expression = String(decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
        return [
            "SQLite \(csq_version().map { String(cString: $0) } ?? "")", "PCRE2 \(expression)",
            "Zstandard \(cst_version().map { String(cString: $0) } ?? "")",
        ]
    }
}
