/// What is known in memory about the units of a log, by their numbers: as many as there are, which may be an eighth of
/// the slots of the unit table. Units beyond are empty, and come into being when they are changed.
///
/// Invariant of the pointer: `units` has `count` initialised units; it is replaced by `grow` and `reset` and freed by
/// `deinit` alone, which release what the units hold.
struct UnitList: ~Copyable {
    private var units: UnsafeMutablePointer<LogUnit>
    /// Units that take memory.
    private(set) var count: Int

    init(count: Int) {
        self.count = count
        units = Self.emptyUnits(count)
    }

    deinit {
        for number in 0..<count { units[number].release() }
        units.deallocate()
    }

    private static func emptyUnits(_ count: Int) -> UnsafeMutablePointer<LogUnit> {
        let units = UnsafeMutablePointer<LogUnit>.allocate(capacity: count)
        units.initialize(repeating: LogUnit(), count: count)
        return units
    }

    /// The unit `number`, from 0.
    subscript(number: Int) -> LogUnit {
        @inline(__always) get { number < count ? units[number] : LogUnit() }
        @inline(__always) _modify {
            if number >= count { grow(to: number + 1) }
            yield &units[number]
        }
    }

    /// Exchanges two units.
    mutating func swapAt(_ first: Int, _ second: Int) {
        if max(first, second) >= count { grow(to: max(first, second) + 1) }
        swap(&units[first], &units[second])
    }

    private mutating func grow(to wanted: Int) {
        let larger = Self.emptyUnits(wanted)
        larger.update(from: units, count: count)
        units.deallocate()
        units = larger
        count = wanted
    }

    /// Empties all units and gives the memory of more than `wanted` back.
    mutating func reset(to wanted: Int) {
        for number in 0..<count { units[number].release() }
        guard wanted != count else { return }
        units.deallocate()
        units = Self.emptyUnits(wanted)
        count = wanted
    }

    /// Bytes of memory in use.
    var byteCount: Int {
        var sum = 0
        for number in 0..<count { sum += units[number].byteCount }
        return sum
    }
}
