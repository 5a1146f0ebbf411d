import Foundation
import FuzzTargets

/// Passes libFuzzer's inputs to the readers of external data: `make fuzz`.
///
/// The variable TAPPA_FUZZ_TARGET selects one of ``FuzzTargets/names``.
@main
enum Fuzzing {
    static func main() {
        var count = CommandLine.argc
        var arguments = UnsafeMutablePointer(CommandLine.unsafeArgv)
        exit(withUnsafeMutablePointer(to: &arguments) { LLVMFuzzerRunDriver(&count, $0, fuzzOne) })
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func LLVMFuzzerRunDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

private let target = ProcessInfo.processInfo.environment["TAPPA_FUZZ_TARGET"] ?? "feed"

/// The name that libFuzzer calls.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOne(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    MainActor.assumeIsolated {
        do { try FuzzTargets.run(target, on: bytes) } catch { fatalError("\(target): \(error)") }
        // Jobs on the main queue retain screens.
        if target == "race-screens" { _ = RunLoop.main.run(mode: .default, before: .distantPast) }
    }
    return 0
}
