import Testing

@testable import Accounts

/// The digest of Fever's key, with the test suite of RFC 1321 and texts around the ends of blocks.
@Suite struct ComputesMD5 {
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("abc", "900150983cd24fb0d6963f7d28e17f72"), ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
            "d174ab98d277d9f5a5611c2c9f419d9f"
        ),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
        (String(repeating: "x", count: 55), "04364420e25c512fd958a70738aa8f72"),
        (String(repeating: "x", count: 56), "668a72d5ba17f08e62dabcafad6db14b"),
        (String(repeating: "x", count: 63), "7dc2ca208106a2f703567bdff99d8981"),
        (String(repeating: "x", count: 64), "c1bb4f81d892b2d57947682aeb252456"),
        (String(repeating: "x", count: 65), "1bc932052302d074bdec39795fe00cf6"),
        (String(repeating: "x", count: 200), "30a83621ce5422fbdfdd539777458c78"),
        ("alice:geh\u{E4}im", "d3af89bbf0bc6a09bb3b1d2a8cc9189c"),
    ])
    func digests(text: String, expected: String) { #expect(MD5.hex(text) == expected) }
}
