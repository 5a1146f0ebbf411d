import Foundation
import ModelCore

/// Recovers a library from any bytes: whatever they are, what comes of it is whole.
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
