/// Steps of `ApplicationTrial` that belong together, each by its kind.
enum ApplicationPhrases {
    private static let (ask, unsafe, deliver, change, reply): (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 5, 6, 10, 11)
    private static let (wait, cancel, remove, own): (UInt8, UInt8, UInt8, UInt8) = (12, 13, 14, 15)

    static let all: [[UInt8]] = [
        [reply, ask, deliver, deliver, ask],
        [reply, ask, deliver, deliver, wait, ask, deliver, deliver],
        [ask, ask, deliver, deliver, deliver, deliver],
        [ask, change, ask, deliver, deliver, deliver, deliver, ask],
        [ask, unsafe, deliver, deliver, deliver, ask],
        [ask, deliver, remove, deliver, ask, deliver, deliver],
        [ask, deliver, own, deliver, ask],
        [ask, ask, cancel, deliver, deliver, ask],
    ]
}
