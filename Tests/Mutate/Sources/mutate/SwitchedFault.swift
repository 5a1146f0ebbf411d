/// A fault of the register while it is built into the copy: where it can be switched, and which ways were tried.
struct SwitchedFault {
    /// The fault's identifier in the copy: a hash of its name, so that adding a fault leaves the others unchanged.
    var number: Int
    /// The promise's identifier and the fault's number in it, from 1: `SEG-05.1`.
    var name: String
    var fault: DeliberateFault
    /// The ways of switching it; none in C files.
    var ways: [SwitchWriter.Way] = []
    /// The number of its ways that didn't compile.
    var attempts = 0
    /// The compiler's last error about it.
    var lastError = "no function or initial value contains it"

    init(name: String, fault: DeliberateFault) {
        self.name = name
        self.fault = fault
        var hash: UInt64 = 14_695_981_039_346_656_037
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        number = Int(hash >> 32)
    }
}
