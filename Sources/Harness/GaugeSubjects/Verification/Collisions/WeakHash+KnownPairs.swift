extension WeakHash {
    /// Two URLs for each of ``all``, in its order, that have the same hash, for checks without time to look for them.
    static let knownPairs: [ManyKeys.Pair] = [
        ("jv6g4udvzrguaa", "2od6nz7boatepa"),
        ("sa2fmbtrfz55fa", "muut7tzzueujka"),
        ("ojcj83qrrtauoa", "rsza8hy4rrpmga"),
        ("prnemvieeyokaa", "83knrzrbietkpa"),
        ("qi7qvqandcabka", "3s7qi6s2b4ueia"),
        ("ioytygffdtzhia", "f6wp6tamwwy3ia"),
        ("czenjg6x7qamoa", "5kx4ntsuoepqia"),
        ("go8madyu8grqda", "bndo5x6uam7npa"),
        ("vpvwbr27wod4ka", "nmtccofvpeetaa"),
        ("zv6xyg7w3kdama", "kpd6w3rowbynia"),
        ("b3by5piftqd5na", "achajq8whmp2aa"),
        ("punkzeu7odjsaa", "d3xizdm8cgbona"),
        ("426r73gr3d8dia", "k334564yad3mka"),
        ("53o5ahi4wwg2fa", "t6xnonxn726eoa"),
        ("kzzfc6kfdchdia", "2afawdcbkimfda"),
        ("xy6fezreurvgea", "zoyn5vqaa7v7ga"),
        ("owox7g7iqeksqa", "48n8ijkdsivcaa"),
    ].map { (request($0.0), request($0.1)) }

    private static func request(_ path: String) -> SubjectRequest { SubjectRequest("https://a.example/\(path)") }
}
