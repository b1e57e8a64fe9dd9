import Foundation

/// How much fire: a moment of it in every run of the tests, all of it where that is asked for.
enum FireLength {
    /// Whether `SALLYPORT_LONG=1` asks for all of it.
    static var isLong: Bool { ProcessInfo.processInfo.environment["SALLYPORT_LONG"] == "1" }

    /// What the random choices begin with: `SALLYPORT_SEED`, else another one each time.
    static var seed: UInt64 {
        ProcessInfo.processInfo.environment["SALLYPORT_SEED"].flatMap(UInt64.init) ?? .random(in: 0...999_999)
    }
}
