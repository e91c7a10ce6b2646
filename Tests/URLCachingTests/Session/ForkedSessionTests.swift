import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct ForkedSessionTests {
    @Test(
        "in a forked child a session answers fresh hits, refuses the rest with the remedy, and leaves the parent's alone"
    )
    func child() throws {
        let run = try ChildRun("SessionStress", ["fork"])
        #expect(
            run.output == "child: hello, refused, refused, 5 bytes\nchild ended with 0\nparent: hello, 2 requests\n")
    }
}
