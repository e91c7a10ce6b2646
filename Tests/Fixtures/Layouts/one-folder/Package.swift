// swift-tools-version:5.5
import PackageDescription

// All of Sources is one target.
let package = Package(
    name: "OneFolder",
    platforms: [.iOS(.v13)],
    products: [.library(name: "OneFolder", targets: ["OneFolder"])],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [
        .target(name: "OneFolder", path: "Sources"),
        .testTarget(name: "OneFolderTests", dependencies: ["OneFolder"], path: "Tests"),
    ]
)
