/// The arguments of one command, each checked against its specification.
struct ParsedArguments: Sendable {
    /// The arguments that aren't options, as many as specified.
    let operands: [String]
    private let values: [String: any Sendable]
    /// Whether `--help` was given; if so, nothing else is checked.
    let wantsHelp: Bool

    /// An option's value; `nil` if not given.
    subscript<Value>(option: CommandOption<Value>) -> Value? { values[option.name] as? Value }

    func has(_ flag: CommandOption<Bool>) -> Bool { self[flag] ?? false }

    /// Whether an option was given, whatever its type.
    func isGiven(_ option: any AnyOption) -> Bool { values[option.name] != nil }

    /// Refuses options that would have no effect.
    ///
    /// - Parameter reason: why not: the beginning of the message.
    func refuse(_ options: [any AnyOption], because reason: String) throws(UsageError) {
        guard let option = options.first(where: isGiven) else { return }
        throw UsageError("\(reason); leave out --\(option.name)")
    }

    /// Reads `--name VALUE`, `--name=VALUE`, flags and operands, in any order. Everything after `--` is an operand, and
    /// so is `-` alone.
    init(_ arguments: [String], of command: CommandSpecification) throws(UsageError) {
        var values: [String: any Sendable] = [:]
        var operands: [String] = []
        var rest = ArraySlice(arguments)
        var optionsEnded = false
        while let argument = rest.popFirst() {
            if optionsEnded || argument == "-" || !argument.hasPrefix("-") {
                operands.append(argument)
            } else if argument == "--" {
                optionsEnded = true
            } else if argument == "--help" || argument == "-h" {
                (self.operands, self.values, wantsHelp) = ([], [:], true)
                return
            } else {
                let (option, inline) = try Self.option(written: argument, of: command)
                guard values[option.name] == nil else {
                    throw UsageError("--\(option.name) is given twice; give it once")
                }
                let text = try Self.value(of: option, inline: inline, rest: &rest)
                do throws(UsageError) {
                    values[option.name] = try option.value(of: text)
                } catch {
                    throw UsageError("--\(option.name): \(error)")
                }
            }
        }
        try Self.check(operands, of: command)
        (self.operands, self.values, wantsHelp) = (operands, values, false)
    }

    private static func option(
        written argument: String, of command: CommandSpecification
    ) throws(UsageError) -> (any AnyOption, inline: String?) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let written = String(parts[0])
        let name = written.dropFirst(2)
        guard written.hasPrefix("--"),
            let option = command.options.first(where: { $0.name == name })
        else {
            let names = command.options.map { "--\($0.name)" } + ["--help"]
            let question = NearNames.question(written, among: names)
            throw UsageError(
                "\(command.name) has no option \(written)"
                    + (question.isEmpty ? "; \(command.name) --help lists them" : question))
        }
        return (option, parts.count == 2 ? String(parts[1]) : nil)
    }

    private static func value(
        of option: any AnyOption, inline: String?, rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let placeholder = option.placeholder else {
            guard inline == nil else {
                throw UsageError("--\(option.name) takes no value; write --\(option.name) alone")
            }
            return ""
        }
        if let inline { return inline }
        guard let next = rest.first else {
            throw UsageError("--\(option.name) needs a value; write --\(option.name) \(placeholder)")
        }
        guard !next.hasPrefix("--") else {
            throw UsageError(
                "--\(option.name) needs a value, and \(next) is an option; "
                    + "write --\(option.name)=\(next) if it is meant as the value")
        }
        rest.removeFirst()
        return next
    }

    private static func check(_ operands: [String], of command: CommandSpecification) throws(UsageError) {
        if operands.count < command.requiredOperands.count {
            let missing = command.requiredOperands[operands.count]
            throw UsageError("\(command.name) needs \(missing); write \(command.name) \(missing)")
        }
        if operands.count > command.operands.count, command.operands.last?.hasSuffix("…") != true {
            let surplus = operands[command.operands.count]
            throw UsageError("\(command.name) does not take '\(surplus)'; options begin with --")
        }
    }
}
