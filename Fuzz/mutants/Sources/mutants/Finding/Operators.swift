/// What stands in for a binary operator.
enum Operators {
    static let comparisons = ["<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="]
    static let boundaries = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]
    static let connectives = ["&&": "||", "||": "&&"]
    static let arithmetic = [
        "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "&*": "&+", "&": "|", "|": "&",
        "^": "|", "<<": ">>", ">>": "<<", "&<<": "&>>", "&>>": "&<<", "+=": "-=", "-=": "+=", "&+=": "&-=",
        "&-=": "&+=", "|=": "&=", "&=": "|=",
    ]
    /// A number beside one of these is a place or an amount, and one more of it is one too many.
    static let amounts: Set = ["+", "-", "&+", "&-", "+=", "-=", "&+=", "&-=", "<", "<=", ">", ">="]
}
