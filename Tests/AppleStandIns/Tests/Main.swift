import Testing

/// The program that runs these suites: what `swift test` would make, without the package around it.
@main struct Main {
    static func main() async {
        await Testing.__swiftPMEntryPoint() as Never
    }
}
