import CSQLiteFunctions
import Foundation
import GRDB
import TerminalText

/// A text in the form in which the library stores it: compressed (Zstandard, RFC 8878) if it is long and gets smaller.
///
/// A compressed text is a BLOB, any other is TEXT. A column can contain both.
package struct StoredText: Sendable {
    /// How much time compressing takes. Measured with 10,000 articles of 3 kB.
    package enum Effort: CInt, Sendable {
        /// 9 µs for each article; 39 % of the size remain. For what a reload stores.
        case little = -1
        /// 12 µs for each article; 32 % of the size remain. For what is stored in the background, and for short texts.
        case normal = 1
    }

    /// The maximum size in bytes of a short text, which is compressed with normal effort.
    ///
    /// An article of 1 kB then takes 3 µs more, and 15 % less space. A library of such articles consists mostly of
    /// what can't be compressed, so that each byte counts more than in one of long articles.
    private static let maximumShort = 1536

    private enum Form: Sendable {
        case plain(String, Effort)
        case compressed(Data)
    }

    private let form: Form

    /// The minimum size in bytes of a compressed text. Shorter texts hardly get smaller.
    private static let minimumSize = 512
    /// The maximum size in bytes of a compressed text. A library from somebody else could declare any size.
    static let maximumSize = 8 << 20

    /// Creates a text that is compressed when it is stored.
    package init(_ text: String, effort: Effort = .little) { form = .plain(text, effort) }

    private init(_ form: Form) { self.form = form }

    /// Returns the same text in its stored form, so that storing it takes less time.
    package func compressed() -> StoredText {
        guard case .plain(let text, let effort) = form, let value = StoredText.compress(text, effort) else {
            return self
        }
        return StoredText(.compressed(value))
    }

    /// Returns the text.
    ///
    /// - Throws: An error if the compressed text is damaged.
    package func text() throws -> String {
        switch form {
        case .plain(let text, _): text
        case .compressed(let value): try StoredText.decompress(value)
        }
    }

    /// Returns the text of a value in the library, or `nil` if the value is no text.
    ///
    /// - Throws: An error if the value is a damaged compressed text.
    package static func text(of value: DatabaseValue) throws -> String? {
        switch value.storage {
        case .string(let text): text
        case .blob(let bytes): try decompress(bytes)
        case .null, .int64, .double: nil
        }
    }

    /// Returns what can be decompressed of a damaged value without its checksum, for a recovery.
    package static func salvaged(_ value: DatabaseValue) -> String? {
        // The frame header's descriptor and its flag for a checksum of four bytes (RFC 8878, section 3.1.1.1).
        let (descriptor, flag, checksum) = (4, UInt8(4), 4)
        guard case .blob(let bytes) = value.storage, bytes.count > descriptor + checksum else { return nil }
        var frame = Data(bytes.dropLast(checksum))
        frame[descriptor] &= ~flag
        return try? decompress(frame)
    }

    /// Returns the compressed text, or `nil` if it is short, too long, or less than an eighth smaller.
    private static func compress(_ text: String, _ effort: Effort) -> Data? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count >= minimumSize, bytes.count <= maximumSize else { return nil }
            let capacity = bytes.count - bytes.count / 8
            let level = (bytes.count <= maximumShort ? Effort.normal : effort).rawValue
            let value = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                count = cst_compress(
                    bytes.baseAddress, bytes.count, level, buffer.baseAddress, capacity)
            }
            return value.isEmpty ? nil : Data(value)
        }
    }

    private static func decompress(_ value: Data) throws -> String {
        try value.withUnsafeBytes { raw in
            let bytes = raw.bindMemory(to: UInt8.self)
            let size = Int(clamping: cst_size(bytes.baseAddress, bytes.count))
            guard size >= 0, size <= maximumSize else { throw damaged }
            return try String(unsafeUninitializedCapacity: size) { buffer in
                guard cst_decompress(bytes.baseAddress, bytes.count, buffer.baseAddress, size) == 0 else {
                    throw damaged
                }
                return size
            }
        }
    }

    private static var damaged: DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a compressed text is damaged")
    }

    // MARK: In full-text indexes

    /// The tokenizer of full-text indexes that contain stored texts. It finds the words in compressed ones, too.
    ///
    /// The words are those of ``TerminalText/FoldedText``.
    package static let tokenizer = "stored_text"

    /// Registers the tokenizer. Each connection needs it to create, change or search such an index.
    package static func addTokenizer(to db: Database) throws {
        CharacterFolding.prepare()
        let code = cst_add_tokenizer(db.sqliteConnection.map { UnsafeMutableRawPointer($0) }, maximumSize)
        guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}

extension StoredText: DatabaseValueConvertible {
    package var databaseValue: DatabaseValue {
        switch compressed().form {
        case .plain(let text, _): text.databaseValue
        case .compressed(let value): value.databaseValue
        }
    }

    package static func fromDatabaseValue(_ value: DatabaseValue) -> StoredText? {
        switch value.storage {
        case .string(let text): StoredText(text)
        case .blob(let bytes): StoredText(.compressed(bytes))
        case .null, .int64, .double: nil
        }
    }
}

extension Row {
    /// Returns the text of a column that may be compressed (``StoredText``).
    ///
    /// - Throws: An error if the row has no such column, if the value is no text, or if it is a damaged compressed text.
    package func text(_ index: Int) throws -> String? {
        guard index < count else { throw DatabaseError(message: "missing column \(index + 1)") }
        let value: DatabaseValue = self[index]
        if let text = try StoredText.text(of: value) { return text }
        return try at(index)
    }
}
