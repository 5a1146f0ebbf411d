import Foundation
import ModelCore

/// Recovers a library from arbitrary bytes and checks that the result is intact.
func recover(_ bytes: [UInt8]) {
    do {
        let findings = try LibraryRecovery.findings(afterRecovering: bytes)
        precondition(findings.isEmpty, "a recovered library is damaged: \(findings)")
    } catch .damaged {
        return
    } catch {
        preconditionFailure("a recovery fails: \(error)")
    }
}
