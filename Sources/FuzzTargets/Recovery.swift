import Foundation
import ModelCore

/// Recovers a library from arbitrary bytes and checks that the result is intact.
func recover(_ bytes: [UInt8]) throws {
    let findings: [String]
    do {
        findings = try LibraryRecovery.findings(afterRecovering: bytes)
    } catch .damaged {
        return
    } catch {
        throw FuzzFailure("the recovery fails: \(error)")
    }
    try check(findings.isEmpty, "the recovered library is damaged: \(findings)")
}
