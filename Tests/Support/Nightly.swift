import Foundation

/// Whether a run of tests tries everything: each night, with the environment variable `CACHEGAUGE_NIGHTLY`. A run
/// without it, which has to end within minutes, tries the part that finds nearly as much.
public let isNightly = ProcessInfo.processInfo.environment["CACHEGAUGE_NIGHTLY"] != nil

/// What a test tries each night, and what each time.
public func nightly<Value>(_ all: Value, else part: Value) -> Value { isNightly ? all : part }
