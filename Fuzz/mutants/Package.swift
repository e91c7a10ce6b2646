// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that the cache's package doesn't depend on it. It reads Swift with the compiler's own parser,
// which is part of the toolchain: the script `run` finds its folder and passes it on.
let libraries = Context.environment["SWIFT_HOST_LIBRARIES"] ?? "run this package by the script Fuzz/mutants/run"
let parser: [LinkerSetting] = [
    .unsafeFlags(["-L", libraries, "-Xlinker", "-rpath", "-Xlinker", libraries]),
    .linkedLibrary("SwiftSyntax"), .linkedLibrary("SwiftParser"), .linkedLibrary("SwiftOperators"),
]

let package = Package(
    name: "mutants",
    targets: [
        .executableTarget(name: "mutants", swiftSettings: [.unsafeFlags(["-I", libraries])], linkerSettings: parser),
        .testTarget(
            name: "mutantsTests", dependencies: ["mutants"], swiftSettings: [.unsafeFlags(["-I", libraries])],
            linkerSettings: parser),
    ],
    swiftLanguageModes: [.v6]
)
