// swift-tools-version:5.1
import PackageDescription

let package = Package(
    name: "Versioned", products: [.library(name: "Versioned", targets: ["Versioned"])],
    targets: [.target(name: "Versioned")]
)
