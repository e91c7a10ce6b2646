// swift-tools-version:5.7
import PackageDescription

let package = Package(
    name: "SeveralLibraries",
    platforms: [.macOS("15.0"), .iOS(.v13)],
    products: [
        .library(name: "Store", targets: ["Memory", "Disk"]), .library(name: "Disk", targets: ["Disk"]),
        .library(name: "Dynamic", type: .dynamic, targets: ["Memory"]),
    ],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [.target(name: "Memory"), .target(name: "Disk", dependencies: ["Memory"])],
    swiftLanguageVersions: [.v5]
)
