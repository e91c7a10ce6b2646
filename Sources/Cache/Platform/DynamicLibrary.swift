// Invariant of the pointers: `handle` comes from `dlopen` and is never closed, so addresses stay valid. The caller
// states a function's true type.

/// A shared library loaded at run time, so an application also starts without it. It stays loaded.
///
/// `@unchecked Sendable`: the handle is a constant, and the dynamic linker has a lock.
package struct DynamicLibrary: @unchecked Sendable {
    package struct Missing: Error {
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    private let handle: UnsafeMutableRawPointer
    private let name: String

    package init(_ names: [String]) throws(Missing) {
        var reason = "no name given"
        for name in names {
            if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
                self.handle = handle
                self.name = name
                return
            }
            reason = dlerror().map { String(cString: $0) } ?? "\(name) cannot be loaded"
        }
        throw Missing(reason: reason)
    }

    package func address(of function: String) throws(Missing) -> UnsafeMutableRawPointer {
        guard let address = dlsym(handle, function) else { throw Missing(reason: "\(name) lacks \(function)") }
        return address
    }

    /// A function.
    ///
    /// - Parameter type: must be the function's true type, and `@convention(c)`.
    package func function<Function>(_ name: String, as type: Function.Type = Function.self) throws(Missing) -> Function
    {
        unsafeBitCast(try address(of: name), to: type)
    }
}
