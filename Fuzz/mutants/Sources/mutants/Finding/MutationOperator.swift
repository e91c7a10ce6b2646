/// The ways in which a source is changed, each a slip that people make.
enum MutationOperator: String, CaseIterable, Sendable {
    /// `<` for `>=`, `==` for `!=`.
    case comparison = "flipped comparison"
    /// `<` for `<=`, one more in a sum, the end of a range one too far.
    case offByOne = "off-by-one"
    /// The condition of a `guard` made true, that of an `if` or a `while` made false.
    case check = "dropped check"
    /// What is done if the condition holds for what is done if it does not.
    case branch = "swapped branch"
    /// A call, an assignment or an early exit left out.
    case statement = "removed statement"
    /// A number one higher, the next character, `true` for `false`.
    case constant = "wrong constant"
    /// `&&` for `||`.
    case connective = "swapped && and ||"
    /// `+` for `-`, `&` for `|`, `min` for `max`.
    case arithmetic = "wrong arithmetic"
}
