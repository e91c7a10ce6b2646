/// A chosen site with the number that switches it on, counted from 1.
struct Mutant: Equatable, Sendable {
    let number: Int
    let site: Site
}
