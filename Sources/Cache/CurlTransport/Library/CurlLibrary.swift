import CSupport
import Platform

/// libcurl's functions, found at run time: building needs no header and no package, and FoundationNetworking brings the
/// library along where it is used.
///
/// Invariants: the signatures below are those of libcurl's binary interface, unchanged since 2006 (`curl_multi_poll`
/// and `curl_multi_wakeup`: 2020). Only one thread uses a handle, but any thread may call `wakeUp` while the multi
/// handle exists.
///
/// `@unchecked Sendable`: it holds addresses of C functions, which need no lock because the code never changes.
/// `shared` is a constant and every holder has a copy, so a test that sets a variable changes only its copy.
package struct CurlLibrary: @unchecked Sendable {
    package typealias Handle = UnsafeMutableRawPointer
    package typealias StringList = UnsafeMutableRawPointer

    package var makeEasy: @convention(c) () -> Handle?
    package let destroyEasy: @convention(c) (Handle) -> Void
    package let pause: @convention(c) (Handle, Int32) -> Int32
    package let message: @convention(c) (Int32) -> UnsafePointer<CChar>?
    package var appendToList: @convention(c) (StringList?, UnsafePointer<CChar>) -> StringList?
    package let destroyList: @convention(c) (StringList?) -> Void
    package let makeMulti: @convention(c) () -> Handle?
    package let destroyMulti: @convention(c) (Handle) -> Int32
    package var add: @convention(c) (Handle, Handle) -> Int32
    package let remove: @convention(c) (Handle, Handle) -> Int32
    package let perform: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> Int32
    package let nextMessage:
        @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafeMutablePointer<cs_curl_message>?
    package let poll:
        @convention(c) (Handle, UnsafeMutableRawPointer?, UInt32, Int32, UnsafeMutablePointer<Int32>?) -> Int32
    package var wakeUp: @convention(c) (Handle) -> Int32
    /// E.g. `libcurl/7.88.1 OpenSSL/3.0.19 zlib/1.2.13`.
    package let version: String

    private let setEasy: UnsafeMutableRawPointer
    private let getEasy: UnsafeMutableRawPointer
    private let setMulti: UnsafeMutableRawPointer

    /// The library, loaded on first use, or why it cannot be used.
    package static let shared = Result { () throws(TransportProblem) in try CurlLibrary() }

    package static var names: [String] {
        #if canImport(Darwin)
        ["libcurl.4.dylib"]
        #else
        // The last is Debian's second build of the same interface, with another TLS library.
        ["libcurl.so.4", "libcurl.so", "libcurl-gnutls.so.4"]
        #endif
    }

    /// Loads the first of these names that the dynamic linker finds.
    package init(_ names: [String] = Self.names) throws(TransportProblem) {
        do throws(DynamicLibrary.Missing) {
            let library = try DynamicLibrary(names)
            makeEasy = try library.function("curl_easy_init")
            destroyEasy = try library.function("curl_easy_cleanup")
            pause = try library.function("curl_easy_pause")
            message = try library.function("curl_easy_strerror")
            appendToList = try library.function("curl_slist_append")
            destroyList = try library.function("curl_slist_free_all")
            makeMulti = try library.function("curl_multi_init")
            destroyMulti = try library.function("curl_multi_cleanup")
            add = try library.function("curl_multi_add_handle")
            remove = try library.function("curl_multi_remove_handle")
            perform = try library.function("curl_multi_perform")
            nextMessage = try library.function("curl_multi_info_read")
            poll = try library.function("curl_multi_poll")
            wakeUp = try library.function("curl_multi_wakeup")
            setEasy = try library.address(of: "curl_easy_setopt")
            getEasy = try library.address(of: "curl_easy_getinfo")
            setMulti = try library.address(of: "curl_multi_setopt")
            let initialize = try library.function("curl_global_init", as: (@convention(c) (Int) -> Int32).self)
            let describe = try library.function("curl_version", as: (@convention(c) () -> UnsafePointer<CChar>?).self)
            guard initialize(Curl.initializeAll) == Curl.ok else {
                throw DynamicLibrary.Missing(reason: "curl_global_init failed")
            }
            version = describe().map { String(cString: $0) } ?? "libcurl"
        } catch {
            throw TransportProblem(reason: error.reason)
        }
    }

    // MARK: Options

    /// Sets an option of an easy handle. Older libraries ignore options they do not know.
    package func set(_ easy: Handle, _ option: Curl.LongOption, _ value: Int) {
        _ = cs_call_with_long(setEasy, easy, option.rawValue, value)
    }

    package func set(_ easy: Handle, _ option: Curl.OffsetOption, _ value: Int64) {
        _ = cs_call_with_int64(setEasy, easy, option.rawValue, value)
    }

    /// - Returns: whether the library took it. Strings are copied; other memory must outlive the transfer.
    @discardableResult
    package func set(_ easy: Handle, _ option: Curl.PointerOption, _ value: UnsafeRawPointer?) -> Bool {
        cs_call_with_pointer(setEasy, easy, option.rawValue, value) == Curl.ok
    }

    @discardableResult
    package func set(_ easy: Handle, _ option: Curl.PointerOption, _ text: String) -> Bool {
        text.withCString { set(easy, option, UnsafeRawPointer($0)) }
    }

    package func set(_ easy: Handle, _ option: Curl.FunctionOption, _ callback: Curl.DataCallback) {
        _ = cs_call_with_pointer(setEasy, easy, option.rawValue, unsafeBitCast(callback, to: UnsafeRawPointer.self))
    }

    package func set(_ easy: Handle, _ option: Curl.FunctionOption, seeking callback: Curl.SeekCallback) {
        _ = cs_call_with_pointer(setEasy, easy, option.rawValue, unsafeBitCast(callback, to: UnsafeRawPointer.self))
    }

    /// - Returns: whether the library knows it.
    package func set(
        _ easy: Handle, _ option: Curl.FunctionOption, beforeRequest callback: Curl.RequestCallback
    ) -> Bool {
        cs_call_with_pointer(setEasy, easy, option.rawValue, unsafeBitCast(callback, to: UnsafeRawPointer.self))
            == Curl.ok
    }

    package func set(_ easy: Handle, _ option: Curl.FunctionOption, opened callback: Curl.OpenedCallback) {
        _ = cs_call_with_pointer(setEasy, easy, option.rawValue, unsafeBitCast(callback, to: UnsafeRawPointer.self))
    }

    package func set(_ easy: Handle, _ option: Curl.FunctionOption, closing callback: Curl.CloseCallback) {
        _ = cs_call_with_pointer(setEasy, easy, option.rawValue, unsafeBitCast(callback, to: UnsafeRawPointer.self))
    }

    package func set(_ easy: Handle, _ option: Curl.FunctionOption, debugging callback: Curl.DebugCallback) {
        _ = cs_call_with_pointer(setEasy, easy, option.rawValue, unsafeBitCast(callback, to: UnsafeRawPointer.self))
    }

    package func setMulti(_ multi: Handle, _ option: Curl.MultiOption, _ value: Int) {
        _ = cs_call_with_long(setMulti, multi, option.rawValue, value)
    }

    // MARK: What a transfer tells

    /// 0 where the library does not know it.
    package func number(_ easy: Handle, _ number: Curl.Number) -> Int { told(easy, number.rawValue, 0) }

    /// Microseconds since the beginning of the transfer; 0 where the moment has not come.
    package func microseconds(_ easy: Handle, _ moment: Curl.Moment) -> Int64 { told(easy, moment.rawValue, 0) }

    /// The address of the server or the proxy, as text; `nil` if there was no connection.
    package func remoteAddress(_ easy: Handle) -> String? {
        let text: UnsafePointer<CChar>? = told(easy, Curl.remoteAddress, nil)
        return text.map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func told<Value>(_ easy: Handle, _ information: Int32, _ unknown: Value) -> Value {
        var value = unknown
        _ = withUnsafeMutablePointer(to: &value) {
            cs_call_with_pointer(getEasy, easy, information, UnsafeRawPointer($0))
        }
        return value
    }
}

/// Why URLSession carries a session's requests although libcurl should.
public struct TransportProblem: Error, CustomStringConvertible {
    /// E.g. the dynamic linker's message.
    package let reason: String

    package init(reason: String) { self.reason = reason }

    /// The thing, the reason and the remedy.
    public var description: String {
        "libcurl cannot be used (\(reason)), so that URLSession carries the requests, which does not survive every "
            + "broken answer; install libcurl 7.68 or later (Debian: libcurl4, Fedora: libcurl, Alpine: libcurl)"
    }
}
