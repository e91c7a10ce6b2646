// swift-format-ignore-file

// What Apple's own overlay adds to Darwin, as far as the package uses it. Nothing here is ever run.

@_exported import Darwin

public func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
public func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
public func openat(_ directory: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 { 0 }
public func openat(_ directory: Int32, _ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 { 0 }
public func fcntl(_ file: Int32, _ command: Int32) -> Int32 { 0 }
public func fcntl(_ file: Int32, _ command: Int32, _ value: Int32) -> Int32 { 0 }
public func fcntl(_ file: Int32, _ command: Int32, _ value: UnsafeMutableRawPointer) -> Int32 { 0 }
public var errno: Int32 {
    get { 0 }
    set {}
}
public var MAP_FAILED: UnsafeMutableRawPointer! { nil }
public var SIG_IGN: (@convention(c) (Int32) -> Void)! { nil }
public var SIG_DFL: (@convention(c) (Int32) -> Void)? { nil }
