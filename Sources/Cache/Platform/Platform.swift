/// The platform's C library under one name. All differences between Linux and Apple systems outside Foundation are in
/// this module, so those above need no `#if os`.
#if canImport(Darwin)
@_exported import Darwin
#elseif canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#endif
