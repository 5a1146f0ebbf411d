// The C library of the target system, named only here.
#if canImport(Glibc)
    @_exported import Glibc
#elseif canImport(Musl)
    @_exported import Musl
#elseif canImport(Darwin)
    @_exported import Darwin
#else
    #error("Name the C library of this system in Sources/Platform.")
#endif
