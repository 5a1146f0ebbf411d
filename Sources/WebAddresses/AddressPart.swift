/// The components of an address, each with its own set of percent-encoded characters.
enum AddressPart {
    case user, path, query, fragment

    private var signs: [Bool] {
        switch self {
        case .user: AddressPart.userSigns
        case .path: AddressPart.pathSigns
        case .query: AddressPart.querySigns
        case .fragment: AddressPart.fragmentSigns
        }
    }

    private static func table(_ signs: String) -> [Bool] {
        let signs = Set(signs.utf8)
        return (0..<0x80).map { $0 <= 0x20 || $0 == 0x7F || signs.contains($0) }
    }

    private static let fragmentSigns = table("\"<>`")
    private static let querySigns = table("\"#<>'")
    private static let pathSigns = table("\"#<>?^`{}")
    // A colon separates user name and password.
    private static let userSigns = table("\"#<>?^`{}/;=@[\\]|")
    /// The characters that are percent-encoded in a path, query or fragment.
    static let isUnusual: [Bool] = (0..<0x80).map { pathSigns[$0] || querySigns[$0] || fragmentSigns[$0] }

    /// Returns a component with invalid characters percent-encoded. Encoded ones stay.
    func encoded(_ text: Substring) -> String {
        let signs = signs
        func stays(_ byte: UInt8) -> Bool { byte < 0x80 && !signs[Int(byte)] }
        if text.utf8.allSatisfy(stays) { return String(text) }
        return PercentEncoding.encoded(text.utf8, except: stays)
    }
}
