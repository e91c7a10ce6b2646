import Foundation
import PackagePlugin

/// `swift package gauge init` adds a first gauge to a package. `swift package gauge …` builds the package's gauge and
/// runs it with the other arguments.
@main
struct GaugePlugin: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        if arguments.first == "init" {
            return try NewGauge(context, Array(arguments.dropFirst())).add()
        }
        try run(context, arguments)
    }

    private func run(_ context: PluginContext, _ arguments: [String]) throws {
        var arguments = arguments
        let wanted = try Self.option("--product", from: &arguments)
        let product = try Self.gauge(of: context.package, named: wanted)
        // The package stays locked while a plugin runs, so a build inside would wait for ever.
        if arguments.first == "gate", !arguments.contains(where: { $0.hasPrefix("--base-executable") }) {
            throw Failure("gate builds the package itself; run it as: swift run -c release \(product) gate …")
        }
        let options = PackageManager.BuildParameters(configuration: .release, logging: .concise, echoLogs: false)
        let result = try packageManager.build(.product(product), parameters: options)
        guard result.succeeded else { throw Failure("\(product) does not compile:\n\(result.logText)") }
        guard let built = result.builtArtifacts.first(where: { $0.kind == .executable }) else {
            throw Failure("the build has no executable \(product); run it as: swift run -c release \(product)")
        }
        let process = Process()
        process.executableURL = built.url
        process.arguments = arguments
        process.currentDirectoryURL = context.package.directoryURL
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus != 0 else { return }
        // SwiftPM exits with 1 whatever the gauge says.
        throw Failure("\(product) exited with \(process.terminationStatus)")
    }

    /// The executable product whose target depends on GaugeKit.
    private static func gauge(of package: Package, named name: String?) throws -> String {
        let names = package.products(ofType: ExecutableProduct.self).filter { product in
            product.mainTarget.dependencies.contains { dependency in
                if case .product(let used) = dependency { used.name == "GaugeKit" } else { false }
            }
        }.map(\.name)
        if let name {
            guard names.contains(name) else {
                throw Failure("there is no gauge '\(name)'; the gauges here are: \(names.joined(separator: ", "))")
            }
            return name
        }
        guard let first = names.first else {
            throw Failure("no executable of this package depends on GaugeKit; add one with: swift package gauge init")
        }
        guard names.count == 1 else {
            throw Failure("choose one of \(names.joined(separator: ", ")): swift package gauge --product \(first) …")
        }
        return first
    }

    /// Removes an option and its value from the beginning of the arguments.
    private static func option(_ name: String, from arguments: inout [String]) throws -> String? {
        guard arguments.first == name else { return nil }
        guard arguments.count > 1 else { throw Failure("\(name) needs a value") }
        defer { arguments.removeFirst(2) }
        return arguments[1]
    }
}

/// A reason why the plugin cannot go on, which SwiftPM prints.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
