// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nothing of it is in the cache's. It reads Swift with the compiler's own parser, which
// toolchains carry beside the compiler: the script `run` finds the folder and hands it over.
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
