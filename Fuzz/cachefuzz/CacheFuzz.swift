@main
struct CacheFuzz {
    static func main() {}
}
