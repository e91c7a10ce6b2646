import Foundation
import TestSupport
import Testing

@testable import GaugeKit

@Suite("Completion of a shell")
struct CompletionScriptTests {
    private func script(_ shell: String) throws -> String {
        let run = try ChildRun("PlantedGauge", ["--generate-completion-script", shell])
        #expect(run.status == 0, "\(run.errors)")
        return run.output
    }

    @Test("every visible command and option is in the script of each shell", arguments: CompletionShell.allCases)
    func complete(shell: CompletionShell) throws {
        let script = try script(shell.rawValue)
        for command in Gauge.commands.map({ $0.specification }) {
            #expect(script.contains(command.name) || command.isHidden, "\(command.name)")
            for option in command.options where !command.isHidden {
                #expect(script.contains(option.name), "\(command.name) --\(option.name)")
            }
        }
        #expect(!script.contains("replay-worker"))
    }

    /// Words, the index of the word to complete, and a word that has to be offered.
    @Test(
        "bash offers commands, options, and the values of an option",
        arguments: [
            (["planted", "r"], "replay"), (["planted", "run", "--fi"], "--filter"),
            (["planted", "run", "--format", ""], "benchstat"),
            (["planted", "run", "--format", "=", "be"], "benchstat"),
            (["planted", "baseline", "up"], "update"), (["planted", "run", "--suite", "def"], "default"),
            (["planted", "--generate-completion-script", ""], "fish"),
        ])
    func bash(words: [String], offered: String) throws {
        let file = try ScratchDirectory()
        try script("bash").write(toFile: "\(file.path)/script", atomically: true, encoding: .utf8)
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let commands = """
            command -v bash >/dev/null || { echo "\(offered)"; exit; }
            exec bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); compopt() { :; }; _planted
            printf "%s\\n" "${COMPREPLY[@]}"' '\(file.path)/script' \(quoted)
            """
        let run = try ChildRun("sh", ["-c", commands])
        #expect(run.output.split(separator: "\n").contains("\(offered)"), "\(run.output)\(run.errors)")
    }

    @Test("a word for a shell survives quotes, and brackets and colons in the help of zsh")
    func quotes() {
        let option = CommandOption.text("it's", "A:B", help: "it's [one]: \\ of 'them'").specification
        let command = CommandSpecification(name: "run", summary: "it's", options: [option])
        func text(_ shell: CompletionShell) -> String {
            CompletionScript(executable: "x", commands: [command], values: [:]).text(for: shell)
        }
        #expect(text(.zsh).contains(#"'--it'\''s=[it'\''s \[one\]\: \\ of '\''them'\'']:A\:B: '"#))
        #expect(text(.fish).contains(#"-d 'it\'s [one]: \\ of \'them\''"#))
    }

    @Test("an unknown shell is refused with the names of those that are known", arguments: [["tcsh"], []])
    func unknown(arguments: [String]) throws {
        let run = try ChildRun("PlantedGauge", ["--generate-completion-script"] + arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains("needs a shell: bash, zsh, fish"))
    }
}
