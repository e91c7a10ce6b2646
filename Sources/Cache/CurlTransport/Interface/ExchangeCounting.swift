/// A transport that knows how many exchanges have not ended.
package protocol ExchangeCounting {
    /// Exchanges that have not ended.
    var exchangesUnderWay: Int { get }
}
