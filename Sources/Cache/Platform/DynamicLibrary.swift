// Invariant of the pointers: `handle` comes from `dlopen` and is never closed, so that addresses stay valid. The
// caller states a function's true type.

/// A shared library that is looked for at run time, so that an application starts without it too. It stays loaded.
///
/// `@unchecked Sendable`: the handle is a constant, and the dynamic linker has a lock.
package struct DynamicLibrary: @unchecked Sendable {
    /// The library cannot be used.
    package struct Missing: Error {
        /// The dynamic linker's message, or the name of a missing function.
        package let reason: String

        package init(reason: String) { self.reason = reason }
    }

    private let handle: UnsafeMutableRawPointer
    private let name: String

    /// Loads the first of these names that the dynamic linker finds.
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

    /// The address of a function.
    package func address(of function: String) throws(Missing) -> UnsafeMutableRawPointer {
        guard let address = dlsym(handle, function) else { throw Missing(reason: "\(name) lacks \(function)") }
        return address
    }

    /// A function.
    ///
    /// - Parameter type: its type, which has to be a `@convention(c)` function type and the right one.
    package func function<Function>(_ name: String, as type: Function.Type = Function.self) throws(Missing) -> Function
    {
        unsafeBitCast(try address(of: name), to: type)
    }
}
