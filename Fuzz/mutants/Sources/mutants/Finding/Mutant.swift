/// A chosen site with the number it is switched on by, from 1.
struct Mutant: Equatable, Sendable {
    let number: Int
    let site: Site
}
