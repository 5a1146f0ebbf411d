import Glibc

/// Returns the bytes of a text in an encoding, or `nil` if the C library lacks the encoding or the encoding lacks a
/// letter.
func encoded(_ text: String, as encoding: String) -> [UInt8]? {
    let converter = iconv_open(encoding, "UTF-8")
    guard converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = Array(text.utf8).map { CChar(truncatingIfNeeded: $0) }
    var output = [CChar](repeating: 0, count: input.count * 4 + 16)
    var room = output.count
    let result = input.withUnsafeMutableBufferPointer { source in
        output.withUnsafeMutableBufferPointer { target -> Int in
            var (from, to) = (source.baseAddress, target.baseAddress)
            var left = source.count
            let result: Int = numericCast(Int64(bitPattern: UInt64(iconv(converter, &from, &left, &to, &room))))
            // Resets the shift state.
            iconv(converter, nil, nil, &to, &room)
            return result
        }
    }
    return result == -1 ? nil : output.prefix(output.count - room).map { UInt8(truncatingIfNeeded: $0) }
}
