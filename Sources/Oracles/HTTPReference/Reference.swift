/// A second reading of RFC 9110 and RFC 9111, written for clarity. Tests and fuzzers compare the fast one with it.
///
/// Everything here follows the ABNF literally, one small function a production, over an array of bytes; nothing is
/// clever and nothing is shared with the code that it judges. Where the RFC leaves a choice, the safe reading is taken: a
/// value that cannot be understood never makes a response fresher. All times are seconds since 1970-01-01T00:00:00Z, and the
/// clock is always an argument.
public enum Reference {}
