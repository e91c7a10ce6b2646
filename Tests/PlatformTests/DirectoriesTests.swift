import Platform
import Testing

@Suite struct DirectoriesTests {
    @Test(
        "all directories above one are named, the root and the working directory included",
        arguments: [
            ("/var/cache/a", ["/var/cache/a", "/var/cache", "/var", "/"]), ("/cache", ["/cache", "/"]), ("/", ["/"]),
            ("a/b", ["a/b", "a", "."]), ("a", ["a", "."]), (".", ["."]), ("./a", ["./a", "."]),
            ("/a/", ["/a/", "/a", "/"]), ("//a", ["//a", "/"]),
        ])
    func above(path: String, all: [String]) { #expect(directories(upFrom: path) == all) }
}
