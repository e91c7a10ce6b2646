/// The values that a property list can hold, as bytes: each is a tag and its content. Little-endian, no gaps.
///
///     tag  follows                                   value
///       0  nothing                                   false
///       1  nothing                                   true
///       2  8 bytes, signed                           an integer
///       3  8 bytes, unsigned                         an integer from 2^63 on
///       4  8 bytes, IEEE 754                         a floating-point number
///       5  8 bytes, IEEE 754                         a date, seconds since 2001
///       6  count (4), UTF-8                          a string
///       7  count (4), bytes                          data
///       8  count (4), values                         an array
///       9  count (4), each: key, value               a dictionary, ordered by key; keys are strings without tags
///
/// A `userInfo` is the byte 1, the version of the format, and a dictionary. Not Foundation's property lists: their parser
/// ends the process at some damaged lists, and a cache reads its files as untrusted input.
enum UserInfoFormat {
    static let version: UInt8 = 1
    /// Arrays and dictionaries inside one another; deeper values are not taken.
    static let mostLevels = 64
    /// Values of one `userInfo`; more are not taken.
    static let mostValues = 1 << 20

    enum Tag: UInt8 {
        case no, yes, integer, unsigned, real, date, string, data, array, dictionary
    }
}
