@main
struct CacheGauge {
    static func main() {}
}
