import DiskSimulation
import Platform

/// Describes what happens in a disk log by running the input.
enum DiskDump {
    /// The operations with their outcomes, as the trial prints them, and the promise that was broken.
    static func program(_ bytes: UnsafeRawBufferPointer, _ scope: DiskTrial.Scope) -> String {
        // Read once, before the first operation.
        setenv("DISK_TRIAL_TRACE", "1", 1)
        print("\(bytes.count) bytes of operations")
        let broken = DiskTrial.run(bytes, scope)
        return broken.map { "broken: \($0)" } ?? "every promise held"
    }

    /// The file's superblock and its intact records.
    static func image(_ bytes: UnsafeRawBufferPointer) -> String {
        let records = DiskImage([UInt8](bytes)).wholeRecords(inFileOf: bytes.count)
        let lines = records.map { record, key in
            "record of \(key.quoted): stored at \(record.storedAt), \(record.metadataCount) bytes of metadata, "
                + "\(record.bodyCount) of body"
        }
        return "\(bytes.count) bytes, \(records.count) whole records\n" + lines.sorted().joined(separator: "\n")
            + "\nsuperblock:\n" + ByteDump.hexadecimal(bytes.prefix(64)) + "\nunit table:\n"
            + ByteDump.hexadecimal(bytes.dropFirst(512).prefix(512))
    }
}
