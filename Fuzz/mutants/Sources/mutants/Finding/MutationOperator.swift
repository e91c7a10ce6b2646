/// The ways in which a source is changed, each a common programming error.
enum MutationOperator: String, CaseIterable, Sendable {
    /// `<` for `>=`, `==` for `!=`.
    case comparison = "flipped comparison"
    /// `<` for `<=`, a sum one larger, a range one longer.
    case offByOne = "off-by-one"
    /// The condition of a `guard` becomes true, that of an `if` or a `while` false.
    case check = "dropped check"
    /// The two branches of a condition exchanged.
    case branch = "swapped branch"
    /// A call, an assignment or an early exit left out.
    case statement = "removed statement"
    /// A number one larger, the next character, `true` for `false`.
    case constant = "wrong constant"
    /// `&&` for `||`.
    case connective = "swapped && and ||"
    /// `+` for `-`, `&` for `|`, `min` for `max`.
    case arithmetic = "wrong arithmetic"
}
