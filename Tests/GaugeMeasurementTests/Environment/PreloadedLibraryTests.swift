import Testing

@testable import GaugeMeasurement

@Suite("Preloaded libraries") struct PreloadedLibraryTests {
    @Test(
        "are told by their file names, as a terminal can show them",
        arguments: [
            ("", []), ("/usr/lib/libjemalloc.so.2", ["libjemalloc.so.2"]),
            ("/a/liba.so:/b/libb.so libc.so", ["liba.so", "libb.so", "libc.so"]), (" :: ", []), ("/", ["/"]),
            ("/x/\u{1B}[31mred\u{7F}é", ["?[31mred??"]),
        ] as [(String, [String])])
    func names(list: String, names: [String]) {
        #expect(RunEnvironment.fileNames(ofLibraries: list) == names)
    }
}
