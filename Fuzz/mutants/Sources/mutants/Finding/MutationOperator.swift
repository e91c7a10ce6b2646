/// The ways in which a source is changed, each a common programming error.
enum MutationOperator: String, CaseIterable, Sendable {
    // Slips of one symbol (Jia, Harman, IEEE TSE 37(5), 2011)

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

    // Human mistakes: the right kind of code about the wrong thing

    /// Two neighbouring arguments of a call exchanged.
    case arguments = "exchanged arguments"
    /// The next case of the enumeration, the next property of the same type, `last` for `first`, `head` for `base`.
    case neighbour = "neighbouring name"
    /// Two effects in the other order.
    case order = "exchanged effects"
    /// A return before the end of a function without a result.
    case exit = "early return"
    /// Only the first 64 elements compared.
    case prefix = "truncated comparison"
    /// Milliseconds for seconds, kibibytes for mebibytes.
    case unit = "mistaken unit"
    /// `a ?? b` always `b`, or a call's last argument left to its default.
    case fallback = "mistaken default"
    /// The second of two similar lines or arguments with the value of the first.
    case copy = "unadapted copy"
    /// A collection visited from its end, or not sorted.
    case direction = "reversed or unsorted"
    /// Rounding down for rounding up or to nearest.
    case rounding = "changed rounding"
    /// 0.9 for 0.95, a factor a tenth larger.
    case fraction = "wrong fraction"
}

/// The replacements of the binary operators.
enum Operators {
    static let comparisons = ["<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="]
    static let boundaries = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]
    static let connectives = ["&&": "||", "||": "&&"]
    static let arithmetic = [
        "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "&*": "&+", "&": "|", "|": "&",
        "^": "|", "<<": ">>", ">>": "<<", "&<<": "&>>", "&>>": "&<<", "+=": "-=", "-=": "+=", "&+=": "&-=",
        "&-=": "&+=", "|=": "&=", "&=": "|=",
    ]
    /// Operators whose operands are positions or amounts, where a number one larger is an off-by-one error.
    static let amounts: Set = ["+", "-", "&+", "&-", "+=", "-=", "&+=", "&-=", "<", "<=", ">", ">="]
}
