import Foundation

/// The ASCII form of internationalised host names (RFC 5891, with RFC 3492's Bootstring).
package enum Punycode {
    /// Returns a host name in ASCII, or `nil` if a label is too long or contains invalid characters.
    static func host(_ name: String) -> String? {
        // Other full stops separate labels too.
        let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
        var labels: [String] = []
        // The mapping of some letters has upper case.
        let mapped = name.lowercased().precomposedStringWithCompatibilityMapping.lowercased()
        for label in mapped.unicodeScalars.split(
            omittingEmptySubsequences: false, whereSeparator: { dots.contains($0) })
        {
            guard !label.allSatisfy(\.isASCII) else {
                labels.append(String(label))
                continue
            }
            // Each character needs at least one of at most 59.
            guard label.count <= 59, let encoded = encode(Array(label)), encoded.utf8.count <= 59 else { return nil }
            labels.append("xn--" + encoded)
        }
        return labels.joined(separator: ".")
    }

    /// Whether a zero-width joiner or non-joiner changes how a word is written (RFC 5892, appendix A): after a virama,
    /// or a non-joiner between two Arabic letters that would join. Anywhere else it would be invisible.
    private static func isJoiner(at index: Int, of scalars: [Unicode.Scalar]) -> Bool {
        guard [0x200C, 0x200D].contains(scalars[index].value), index > 0 else { return false }
        if scalars[index - 1].properties.canonicalCombiningClass == .virama { return true }
        let isMark = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .nonspacingMark }
        guard scalars[index].value == 0x200C, let before = scalars[..<index].last(where: { !isMark($0) }),
            let after = scalars[(index + 1)...].first(where: { !isMark($0) })
        else { return false }
        return joinsNext(before) && (joinsNext(after) || joinsOnlyPrevious.contains(after.value))
    }

    /// Whether a letter of the Arabic block joins the next one (joining type D).
    private static func joinsNext(_ scalar: Unicode.Scalar) -> Bool {
        0x620...0x6FF ~= scalar.value && scalar.properties.isAlphabetic && !joinsOnlyPrevious.contains(scalar.value)
            && ![0x621, 0x674, 0x6DD, 0x6E5, 0x6E6].contains(scalar.value)
    }

    /// The letters of the Arabic block that join the previous letter but not the next one (joining type R).
    private static let joinsOnlyPrevious = Set<UInt32>(
        [
            0x622...0x625, 0x627...0x627, 0x629...0x629, 0x62F...0x632, 0x648...0x648, 0x671...0x673, 0x675...0x677,
            0x688...0x699, 0x6C0...0x6C0, 0x6C3...0x6CB, 0x6CD...0x6CD, 0x6CF...0x6CF, 0x6D2...0x6D3, 0x6D5...0x6D5,
            0x6EE...0x6EF,
        ].flatMap { Array($0) })

    private static func encode(_ scalars: [Unicode.Scalar]) -> String? {
        let isName = scalars.indices.allSatisfy { index in
            let scalar = scalars[index]
            return scalar.value < 0x80 || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                || [.nonspacingMark, .spacingMark].contains(scalar.properties.generalCategory)
                || scalar.properties.isEmoji || isJoiner(at: index, of: scalars)
        }
        guard isName else { return nil }
        var output = scalars.filter { $0.value < 0x80 }.map { UInt8($0.value) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var handled = basic
        var (next, delta, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
        while handled < scalars.count {
            guard let minimum = scalars.map(\.value).filter({ $0 >= next }).min() else { return nil }
            let (step, overflow) = (minimum - next).multipliedReportingOverflow(by: UInt32(handled + 1))
            guard !overflow, delta.addingReportingOverflow(step).overflow == false else { return nil }
            delta += step
            next = minimum
            for scalar in scalars {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                var rest = delta
                var place: UInt32 = 36
                while true {
                    let threshold = place <= bias ? 1 : min(26, place - bias)
                    if rest < threshold { break }
                    output.append(digit(threshold + (rest - threshold) % (36 - threshold)))
                    rest = (rest - threshold) / (36 - threshold)
                    place += 36
                }
                output.append(digit(rest))
                bias = adapted(delta, count: UInt32(handled + 1), isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the characters of a label without its `xn--`, or `nil` if it is invalid (RFC 3492, section 6.2).
    package static func decode(_ label: Substring) -> String? {
        let bytes = Array(label.utf8)
        guard bytes.count <= 63 else { return nil }
        let end = bytes.lastIndex(of: UInt8(ascii: "-")) ?? 0
        var output = bytes[..<end].map { UInt32($0) }
        var (next, place, bias): (UInt32, UInt32, UInt32) = (128, 0, 72)
        var index = end > 0 ? end + 1 : 0
        while index < bytes.count {
            let before = place
            var (weight, step): (UInt32, UInt32) = (1, 36)
            while true {
                guard index < bytes.count, let digit = value(bytes[index]) else { return nil }
                index += 1
                let (added, overflow) = digit.multipliedReportingOverflow(by: weight)
                guard !overflow, place.addingReportingOverflow(added).overflow == false else { return nil }
                place += added
                let threshold = step <= bias ? 1 : min(26, step - bias)
                if digit < threshold { break }
                let (larger, isTooLarge) = weight.multipliedReportingOverflow(by: 36 - threshold)
                guard !isTooLarge else { return nil }
                weight = larger
                step += 36
            }
            let count = UInt32(output.count + 1)
            bias = adapted(place - before, count: count, isFirst: before == 0)
            guard next.addingReportingOverflow(place / count).overflow == false else { return nil }
            next += place / count
            place %= count
            output.insert(next, at: Int(place))
            place += 1
        }
        let scalars = output.compactMap { Unicode.Scalar($0) }
        return scalars.count == output.count ? String(String.UnicodeScalarView(scalars)) : nil
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit | 0x20 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit | 0x20) - 97
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) - 48 + 26
        default: nil
        }
    }

    private static func digit(_ value: UInt32) -> UInt8 { UInt8(value < 26 ? value + 97 : value - 26 + 48) }

    private static func adapted(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var place: UInt32 = 0
        while delta > 455 {
            delta /= 35
            place += 36
        }
        return place + 36 * delta / (delta + 38)
    }
}
