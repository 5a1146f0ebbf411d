/// A fault of the register on its way into the copy: where it can be switched, and how that is tried.
struct SwitchedFault {
    /// Identifies the fault in the copy: a hash of its name, so that the others stay as they are when one is added.
    var number: Int
    /// The promise's identifier and the fault's number in it, from 1: `SEG-05.1`.
    var name: String
    var fault: DeliberateFault
    /// The ways of switching it; none in C files.
    var ways: [SwitchWriter.Way] = []
    /// How many of its ways did not compile.
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
