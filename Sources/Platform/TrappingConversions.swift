// Swift's own conversions of floating-point numbers, declared again. The compiler prefers these to the standard
// library's, so that each use causes a warning and can't trap. `ArrowTests` requires the modules to import them.

extension Int {
    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use Int(clamping:)")
    package init(_ source: Double) { self.init(clamping: source) }

    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use Int(clamping:)")
    package init(_ source: Float) { self.init(clamping: source) }
}

extension Int64 {
    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use Int64(clamping:)")
    package init(_ source: Double) { self.init(clamping: source) }

    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use Int64(clamping:)")
    package init(_ source: Float) { self.init(clamping: source) }
}

extension Int32 {
    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use Int32(clamping:)")
    package init(_ source: Double) { self.init(clamping: source) }

    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use Int32(clamping:)")
    package init(_ source: Float) { self.init(clamping: source) }
}

extension Int16 {
    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use Int16(clamping:)")
    package init(_ source: Double) { self.init(clamping: source) }

    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use Int16(clamping:)")
    package init(_ source: Float) { self.init(clamping: source) }
}

extension Int8 {
    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use Int8(clamping:)")
    package init(_ source: Double) { self.init(clamping: source) }

    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use Int8(clamping:)")
    package init(_ source: Float) { self.init(clamping: source) }
}

extension UInt {
    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use UInt(clamping:)")
    package init(_ source: Double) { self.init(clamping: source) }

    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use UInt(clamping:)")
    package init(_ source: Float) { self.init(clamping: source) }
}

extension UInt64 {
    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use UInt64(clamping:)")
    package init(_ source: Double) { self.init(clamping: source) }

    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use UInt64(clamping:)")
    package init(_ source: Float) { self.init(clamping: source) }
}

extension UInt32 {
    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use UInt32(clamping:)")
    package init(_ source: Double) { self.init(clamping: source) }

    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use UInt32(clamping:)")
    package init(_ source: Float) { self.init(clamping: source) }
}

extension UInt16 {
    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use UInt16(clamping:)")
    package init(_ source: Double) { self.init(clamping: source) }

    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use UInt16(clamping:)")
    package init(_ source: Float) { self.init(clamping: source) }
}

extension UInt8 {
    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use UInt8(clamping:)")
    package init(_ source: Double) { self.init(clamping: source) }

    /// The same as `init(clamping:)`.
    @available(*, deprecated, message: "ends the program for numbers out of range; use UInt8(clamping:)")
    package init(_ source: Float) { self.init(clamping: source) }
}
