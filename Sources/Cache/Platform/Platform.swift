/// The C library of the platform, under one name. Everything that differs between Linux and Apple systems and is not
/// Foundation stands in this module, so that the modules above it carry no `#if os`.
#if canImport(Darwin)
@_exported import Darwin
#elseif canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#endif
