import Platform
import Testing

@Suite struct DynamicLibraryTests {
    #if canImport(Darwin)
    private static let standard = "libSystem.B.dylib"
    #else
    private static let standard = "libc.so.6"
    #endif

    @Test("the first of several names that is there is loaded, and its functions can be called") func found() throws {
        let library = try DynamicLibrary(["libthere-is-none.so.1", Self.standard, "libthere-is-none.so.2"])
        let length = try library.function("strlen", as: (@convention(c) (UnsafePointer<CChar>) -> Int).self)
        #expect(length("four") == 4)
    }

    @Test("a library that is missing is named, the last of several, and so is a function that it lacks")
    func missing() throws {
        func reason(_ body: () throws(DynamicLibrary.Missing) -> Void) -> String {
            do {
                try body()
                return ""
            } catch { return error.reason }
        }
        #expect(reason { () throws(DynamicLibrary.Missing) in _ = try DynamicLibrary([]) } == "no name given")
        let names = ["libfirst-missing.so", "liblast-missing.so"]
        let last = reason { () throws(DynamicLibrary.Missing) in _ = try DynamicLibrary(names) }
        #expect(last.contains("liblast-missing.so") && !last.contains("libfirst-missing.so"), "\(last)")
        #expect(last != "liblast-missing.so cannot be loaded", "the linker knows why")
        let library = try DynamicLibrary([Self.standard])
        let lacking = reason { () throws(DynamicLibrary.Missing) in _ = try library.address(of: "no_such_function") }
        #expect(lacking == "\(Self.standard) lacks no_such_function")
    }
}
