import Foundation
import GaugeMeasurement

/// The same body alone, with a thread of its own that does half of the work, beside one that spins, and beside one that
/// wakes 1,000 times a second.
enum HelpedSubjects {
    static let benchmarks = ["alone", "halved", "spinning", "waking"].map { subject in
        Benchmark(BenchmarkName("planted", "helped", subject), reference: "alone", suites: ["large"]) { _ in
            switch subject {
            case "halved":
                let helper = Helper()
                return PreparedBenchmark(
                    .batched { operations in
                        for _ in 0..<operations {
                            helper.help()
                            PlantedGauge.spin(half)
                        }
                    })
            case "spinning": Thread { while true { PlantedGauge.spin(half) } }.start()
            case "waking": Thread { while true { usleep(1_000) } }.start()
            default: break
            }
            return PreparedBenchmark(.batched { PlantedGauge.spin($0 * 2 * half) })
        }
    }

    private static let half = 5_000

    /// A thread that does its half when asked, and answers.
    private final class Helper: Sendable {
        private let asked = DispatchSemaphore(value: 0)
        private let answered = DispatchSemaphore(value: 0)

        init() {
            Thread { [self] in
                while true {
                    asked.wait()
                    PlantedGauge.spin(half)
                    answered.signal()
                }
            }.start()
        }

        func help() {
            asked.signal()
            answered.wait()
        }
    }
}
