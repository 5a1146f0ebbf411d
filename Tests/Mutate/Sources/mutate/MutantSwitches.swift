/// The functions that the mutants of a module call, in a separate file in each module.
enum MutantSwitches {
    /// The environment variable with the number of the active mutant.
    static let inForce = "TAPPA_MUTANT"
    /// The environment variable with the path of a file that has a byte for each mutant: 1 if the mutant was reached, 2 if
    /// it turned out to change nothing, because the two values have different types.
    static let reached = "TAPPA_MUTANTS_REACHED"

    static let source = """
        import Glibc

        private let mutantInForce: Int = getenv("\(inForce)").flatMap { Int(String(cString: $0)) } ?? -1

        nonisolated(unsafe) private let mutantsReached: (bytes: UnsafeMutablePointer<UInt8>, count: Int)? = {
            guard let name = getenv("\(reached)") else { return nil }
            let file = open(name, O_RDWR)
            guard file >= 0 else { return nil }
            let size = Int(lseek(file, 0, SEEK_END))
            let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
            close(file)
            guard let memory, memory != MAP_FAILED else { return nil }
            return (memory.assumingMemoryBound(to: UInt8.self), size)
        }()

        private func isMutant(_ id: Int) -> Bool {
            if let reached = mutantsReached, reached.count > 0 { reached.bytes[id % reached.count] = 1 }
            return mutantInForce == id
        }

        func mutantActs(_ id: Int) -> Bool { isMutant(id) }
        func mutantKeeps(_ id: Int) -> Bool { !isMutant(id) }
        func mutantHolds(_ id: Int, _ value: Bool) -> Bool { isMutant(id) || value }
        @discardableResult func mutantOther<T>(
            _ id: Int, _ value: @autoclosure () -> T, _ other: @autoclosure () -> T
        ) -> T { isMutant(id) ? other() : value() }
        @_disfavoredOverload @discardableResult func mutantOther<T, U>(
            _ id: Int, _ value: @autoclosure () -> T, _ other: @autoclosure () -> U
        ) -> T {
            if let reached = mutantsReached, reached.count > 0 { reached.bytes[id % reached.count] = 2 }
            return value()
        }
        func mutantNegates(_ id: Int, _ value: Bool) -> Bool { isMutant(id) ? !value : value }
        func mutantAnd(_ id: Int, _ a: Bool, _ b: @autoclosure () -> Bool) -> Bool { isMutant(id) ? a || b() : a && b() }
        func mutantOr(_ id: Int, _ a: Bool, _ b: @autoclosure () -> Bool) -> Bool { isMutant(id) ? a && b() : a || b() }
        func mutantLess<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> Bool { isMutant(id) ? a <= b : a < b }
        func mutantLessOrEqual<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> Bool { isMutant(id) ? a < b : a <= b }
        func mutantGreater<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> Bool { isMutant(id) ? a >= b : a > b }
        func mutantGreaterOrEqual<T: Comparable>(_ id: Int, _ a: T, _ b: T) -> Bool { isMutant(id) ? a > b : a >= b }
        func mutantEqual<T: Equatable>(_ id: Int, _ a: T, _ b: T) -> Bool { isMutant(id) ? a != b : a == b }
        func mutantUnequal<T: Equatable>(_ id: Int, _ a: T, _ b: T) -> Bool { isMutant(id) ? a == b : a != b }
        func mutantAdd<T: AdditiveArithmetic>(_ id: Int, _ a: T, _ b: T) -> T { isMutant(id) ? a - b : a + b }
        func mutantSubtract<T: AdditiveArithmetic>(_ id: Int, _ a: T, _ b: T) -> T { isMutant(id) ? a + b : a - b }
        func mutantPlus<T: AdditiveArithmetic & ExpressibleByIntegerLiteral>(_ id: Int, _ value: T) -> T {
            isMutant(id) ? value + 1 : value
        }
        func mutantNil<T>(_ id: Int, _ value: T?) -> T? { isMutant(id) ? nil : value }
        func mutantEmpty<T: RangeReplaceableCollection>(_ id: Int, _ value: T) -> T { isMutant(id) ? T() : value }
        """
}
