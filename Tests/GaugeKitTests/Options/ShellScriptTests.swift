import GaugeSupport
import TestSupport
import Testing

@testable import GaugeKit

/// The scripts of completion, whole, of commands with an option of each kind.
@Suite("Scripts of completion")
struct ShellScriptTests {
    private enum Shape: String, CaseIterable, Sendable { case round, square }

    private static let commands = [
        CommandSpecification(
            name: "draw", summary: "Draws.", operands: ["new|old|list [NAME]…"],
            options: [
                CommandOption<Shape>.choice("shape", help: "which").specification,
                CommandOption.flag("bold", help: "thicker").specification,
                CommandOption.text("into", "FILE", help: "a file").specification,
                CommandOption.text("folder", "DIR", help: "a folder").specification,
                CommandOption.text("suite", "NAME", help: "a suite").specification,
                CommandOption.whole("copies", in: 1...9, help: "how many").specification,
            ]),
        CommandSpecification(name: "show", summary: "Shows.", operands: ["FILE"]),
        CommandSpecification(
            name: "hidden", summary: "Hides.", options: [CommandOption.flag("secret", help: "none").specification],
            isHidden: true),
    ]

    private func text(_ shell: CompletionShell) -> String {
        CompletionScript(
            executable: "my-gauge2", commands: Self.commands, values: ["suite": ["one", "two"], "shape": ["other"]]
        ).text(for: shell)
    }

    @Test("the script of each shell is the recorded one", arguments: CompletionShell.allCases)
    func script(shell: CompletionShell) {
        #expect(RecordedText.differences(of: text(shell), from: "Completion/\(shell.rawValue)") == [])
    }
}
