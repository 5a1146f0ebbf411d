// Swift's own conversions of floating-point numbers, declared again. The compiler prefers these to the standard
// library's, so that each use causes a warning and can't trap. `ArrowTests` requires the modules to import them.
//
// Each does the same as `init(clamping:)`.

@available(*, deprecated, message: "ends the program for numbers out of range; use Int(clamping:)")
extension Int {
    package init(_ source: Double) { self.init(clamping: source) }
    package init(_ source: Float) { self.init(clamping: source) }
}

@available(*, deprecated, message: "ends the program for numbers out of range; use Int64(clamping:)")
extension Int64 {
    package init(_ source: Double) { self.init(clamping: source) }
    package init(_ source: Float) { self.init(clamping: source) }
}

@available(*, deprecated, message: "ends the program for numbers out of range; use Int32(clamping:)")
extension Int32 {
    package init(_ source: Double) { self.init(clamping: source) }
    package init(_ source: Float) { self.init(clamping: source) }
}

@available(*, deprecated, message: "ends the program for numbers out of range; use Int16(clamping:)")
extension Int16 {
    package init(_ source: Double) { self.init(clamping: source) }
    package init(_ source: Float) { self.init(clamping: source) }
}

@available(*, deprecated, message: "ends the program for numbers out of range; use Int8(clamping:)")
extension Int8 {
    package init(_ source: Double) { self.init(clamping: source) }
    package init(_ source: Float) { self.init(clamping: source) }
}

@available(*, deprecated, message: "ends the program for numbers out of range; use UInt(clamping:)")
extension UInt {
    package init(_ source: Double) { self.init(clamping: source) }
    package init(_ source: Float) { self.init(clamping: source) }
}

@available(*, deprecated, message: "ends the program for numbers out of range; use UInt64(clamping:)")
extension UInt64 {
    package init(_ source: Double) { self.init(clamping: source) }
    package init(_ source: Float) { self.init(clamping: source) }
}

@available(*, deprecated, message: "ends the program for numbers out of range; use UInt32(clamping:)")
extension UInt32 {
    package init(_ source: Double) { self.init(clamping: source) }
    package init(_ source: Float) { self.init(clamping: source) }
}

@available(*, deprecated, message: "ends the program for numbers out of range; use UInt16(clamping:)")
extension UInt16 {
    package init(_ source: Double) { self.init(clamping: source) }
    package init(_ source: Float) { self.init(clamping: source) }
}

@available(*, deprecated, message: "ends the program for numbers out of range; use UInt8(clamping:)")
extension UInt8 {
    package init(_ source: Double) { self.init(clamping: source) }
    package init(_ source: Float) { self.init(clamping: source) }
}
