/// The shells for which a completion can be generated.
enum CompletionShell: String, CaseIterable, Sendable { case bash, zsh, fish }

/// A shell's completion of commands, options and values, generated from the commands' specifications.
struct CompletionScript {
    let executable: String
    let commands: [CommandSpecification]
    /// The values of options that depend on the benchmarks, by option.
    let values: [String: [String]]

    static let option = "--generate-completion-script"

    func text(for shell: CompletionShell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private var visible: [CommandSpecification] { commands.filter { !$0.isHidden } }

    /// The options before a command, with their help.
    private static let global = [
        ("help", "lists the commands"), ("version", "prints the version"),
        (String(option.dropFirst(2)), "prints a completion for a shell"),
    ]

    /// The shell function: `_cachegauge`.
    private var function: String { "_" + executable.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined() }

    private enum Value: Equatable { case nothing, words([String]), file, directory, any }

    private func value(of option: OptionSpecification) -> Value {
        guard let placeholder = option.placeholder else { return .nothing }
        let words = option.choices + (option.choices.isEmpty ? values[option.name] ?? [] : [])
        if !words.isEmpty { return .words(words) }
        switch placeholder {
        case "FILE": return .file
        case "DIR": return .directory
        default: return .any
        }
    }

    /// The words that a command accepts as its first operand: `update`, `read`.
    private static func actions(of command: CommandSpecification) -> [String] {
        let first = command.operands.first.map { $0.split(separator: " ")[0].split(separator: "|").map(String.init) }
        return first.map { $0.count > 1 ? $0 : [] } ?? []
    }

    // MARK: Shells

    private var bash: String {
        let all = visible.map(\.name) + Self.global.map { "--\($0.0)" }
        var text = """
            # Completion of \(executable) for bash: source this, or save it in the directory of bash-completion.
            \(function)() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=
                if [[ $word == = ]]; then word=
                elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi
                if (( COMP_CWORD == 1 )); then
                    words=\(Self.quoted(all.joined(separator: " ")))
                else
                    case "${COMP_WORDS[1]} $before" in
                    \(Self.quoted("\(Self.option) \(Self.option)"))) words='bash zsh fish' ;;

            """
        for command in visible {
            for option in command.options {
                let pattern = Self.quoted("\(command.name) --\(option.name)")
                switch value(of: option) {
                case .nothing: break
                case .words(let words):
                    text += "        \(pattern)) words=\(Self.quoted(words.joined(separator: " "))) ;;\n"
                case .file: text += "        \(pattern)) ;;\n"
                case .directory: text += "        \(pattern)) compopt -o dirnames ;;\n"
                case .any: text += "        \(pattern)) compopt +o default ;;\n"
                }
            }
        }
        text += "        *)\n            case ${COMP_WORDS[1]} in\n"
        for command in visible {
            let options = (command.options.map { "--\($0.name)" } + ["--help"]).joined(separator: " ")
            let actions = Self.actions(of: command).joined(separator: " ")
            text += "            \(command.name))\n"
            text += "                if [[ $word == -* ]]; then words=\(Self.quoted(options))\n"
            text += "                elif (( COMP_CWORD == 2 )); then words=\(Self.quoted(actions)); fi ;;\n"
        }
        return text + """
                        esac ;;
                    esac
                fi
                COMPREPLY=()
                if [[ $words ]]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word"); fi
            }
            complete -o default -F \(function) \(executable)

            """
    }

    private var zsh: String {
        var text = """
            #compdef \(executable)
            # Completion of \(executable) for zsh: save it as \(function) in a directory of $fpath.
            \(function)() {
                local -a commands
                if (( CURRENT == 2 )); then
                    commands=(

            """
        for command in visible {
            text += "            \(Self.quoted("\(command.name):\(command.summary)"))\n"
        }
        for (name, help) in Self.global { text += "            \(Self.quoted("--\(name):\(help)"))\n" }
        text += """
                    )
                    _describe command commands
                    return
                fi
                shift words
                (( CURRENT-- ))
                case $words[1] in
                \(Self.option)) _values shell bash zsh fish ;;

            """
        for command in visible {
            text += "    \(command.name))\n        _arguments"
            for option in command.options { text += " \\\n            \(Self.quoted(zshArgument(option)))" }
            let actions = Self.actions(of: command)
            if !actions.isEmpty { text += " \\\n            '1:action:(\(actions.joined(separator: " ")))'" }
            text += " \\\n            '--help[this text]' '*:file:_files' ;;\n"
        }
        return text + "    esac\n}\ncompdef \(function) \(executable)\n"
    }

    private func zshArgument(_ option: OptionSpecification) -> String {
        func escaped(_ text: String) -> String {
            text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        }
        let help = "[\(escaped(option.help))]"
        let title = escaped(option.placeholder ?? "")
        return switch value(of: option) {
        case .nothing: "--\(option.name)\(help)"
        case .words(let words): "--\(option.name)=\(help):\(title):(\(words.joined(separator: " ")))"
        case .file: "--\(option.name)=\(help):\(title):_files"
        case .directory: "--\(option.name)=\(help):\(title):_files -/"
        case .any: "--\(option.name)=\(help):\(title): "
        }
    }

    private var fish: String {
        var text = "# Completion of \(executable) for fish: save it in ~/.config/fish/completions/\(executable).fish.\n"
        let start = "complete -c \(executable)"
        for command in visible {
            text += "\(start) -n __fish_use_subcommand -f -a \(command.name) -d \(Self.fishQuoted(command.summary))\n"
        }
        for (name, help) in Self.global {
            let value = "--\(name)" == Self.option ? " -x -a 'bash zsh fish'" : ""
            text += "\(start) -n __fish_use_subcommand -l \(name)\(value) -d \(Self.fishQuoted(help))\n"
        }
        for command in visible {
            let condition = "\(start) -n '__fish_seen_subcommand_from \(command.name)'"
            for option in command.options {
                let kind =
                    switch value(of: option) {
                    case .nothing: ""
                    case .words(let words): " -x -a \(Self.fishQuoted(words.joined(separator: " ")))"
                    case .file: " -r -F"
                    case .directory: " -x -a '(__fish_complete_directories)'"
                    case .any: " -x"
                    }
                text += "\(condition) -l \(option.name)\(kind) -d \(Self.fishQuoted(option.help))\n"
            }
            let actions = Self.actions(of: command)
            if !actions.isEmpty { text += "\(condition) -f -a '\(actions.joined(separator: " "))'\n" }
        }
        return text
    }

    /// One word for bash and zsh.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// One word for fish, which knows escapes in single quotes.
    private static func fishQuoted(_ text: String) -> String {
        "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
