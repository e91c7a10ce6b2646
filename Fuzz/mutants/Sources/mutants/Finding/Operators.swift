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
    /// Operators whose operands are positions or amounts, for which a number one larger is an off-by-one error.
    static let amounts: Set = ["+", "-", "&+", "&-", "+=", "-=", "&+=", "&-=", "<", "<=", ">", ">="]
}
