/// The names of a document with their vocabularies, which depend on the declared prefixes.
struct MarkupNames {
    struct Declaration {
        /// The prefix, or an empty text for elements without one.
        var prefix: String
        var vocabulary: Vocabulary
    }

    private struct Known {
        var written: Range<Int>
        var isAttribute: Bool
        var name: MarkupName
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private(set) var declarations: [Declaration] = []
    /// The names that were read last, at a place that depends on their letters.
    private var known = [Known?](repeating: nil, count: 64)
    /// The maximum number of declarations in force, because a name is compared with all of them.
    private static let maximumDeclarations = 1000
    /// The number of names that were not known.
    private var made = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    func isDeclaration(_ attribute: WellFormedXMLReader.Written) -> Bool {
        guard bytes.have("xmlns", at: attribute.name.lowerBound) else { return false }
        return attribute.name.count == 5 || attribute.colon == attribute.name.lowerBound + 5
    }

    /// Adds the declaration of an attribute, if it is one.
    mutating func declare(_ attribute: WellFormedXMLReader.Written) throws(WellFormedXMLReader.Unsupported) {
        guard isDeclaration(attribute) else { return }
        let prefix = attribute.colon.map {
            String(decoding: bytes[($0 + 1)..<attribute.name.upperBound], as: UTF8.self)
        }
        let address = bytes[attribute.value]
        // The empty address ends the declaration outside. libxml2 checks all others, and some are reserved.
        let isNone = prefix == nil && address.isEmpty
        guard isNone || MarkupNames.isPlain(address), prefix != "xml", prefix != "xmlns",
            declarations.count < MarkupNames.maximumDeclarations
        else { throw WellFormedXMLReader.Unsupported() }
        let vocabulary = Vocabulary(uri: String(decoding: address, as: UTF8.self))
        guard vocabulary != .xml else { throw WellFormedXMLReader.Unsupported() }
        declarations.append(Declaration(prefix: prefix ?? "", vocabulary: vocabulary))
        forget()
    }

    /// Removes the declarations of an element that has ended.
    mutating func endDeclarations(after count: Int) {
        guard declarations.count > count else { return }
        declarations.removeLast(declarations.count - count)
        forget()
    }

    private mutating func forget() { for index in known.indices { known[index] = nil } }

    mutating func name(_ written: WellFormedXMLReader.Written, isAttribute: Bool)
        throws(WellFormedXMLReader.Unsupported) -> MarkupName
    {
        let place = place(of: written.name)
        if let found = known[place], found.isAttribute == isAttribute, found.written.count == written.name.count,
            bytes.areEqual(found.written, written.name)
        {
            return found.name
        }
        made += 1
        guard made <= XMLReader.maximumNames else { throw WellFormedXMLReader.Unsupported() }
        let name = try makeName(written, isAttribute: isAttribute)
        known[place] = Known(written: written.name, isAttribute: isAttribute, name: name)
        return name
    }

    private func place(of name: Range<Int>) -> Int {
        let (first, last) = (Int(bytes[name.lowerBound]), Int(bytes[name.upperBound - 1]))
        return (first &* 5 &+ last &* 3 &+ name.count) & 63
    }

    private func makeName(_ written: WellFormedXMLReader.Written, isAttribute: Bool)
        throws(WellFormedXMLReader.Unsupported) -> MarkupName
    {
        let text = String(decoding: bytes[written.name], as: UTF8.self)
        guard let colon = written.colon else {
            let outer = isAttribute ? nil : declarations.last { $0.prefix.isEmpty }
            return MarkupName(vocabulary: outer?.vocabulary ?? .none, local: text.lowercased(), written: text)
        }
        let prefix = String(decoding: bytes[written.name.lowerBound..<colon], as: UTF8.self)
        let local = String(decoding: bytes[(colon + 1)..<written.name.upperBound], as: UTF8.self).lowercased()
        let declared = declarations.last { $0.prefix == prefix }?.vocabulary ?? (prefix == "xml" ? .xml : nil)
        guard let declared else { throw WellFormedXMLReader.Unsupported() }
        return MarkupName(vocabulary: declared, local: local, written: text)
    }

    /// Whether an address consists of a web scheme and characters that are valid in every address.
    private static func isPlain(_ address: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let text = String(decoding: address, as: UTF8.self)
        guard text.hasPrefix("http://") || text.hasPrefix("https://") else { return false }
        let rest = text.utf8.dropFirst(text.hasPrefix("https") ? 8 : 7)
        guard let first = rest.first, XMLCharacters.isLetter(first), rest.count(where: { $0 == UInt8(ascii: "#") }) < 2
        else { return false }
        // The address of declarations themselves is reserved.
        return text != "http://www.w3.org/2000/xmlns/"
            && rest.allSatisfy { XMLCharacters.isInName($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "#") }
    }
}
