/// What every `Transport` promises. A transport's own tests run each check:
///
///     @Test(.timeLimit(.minutes(2)), arguments: TransportConformance.checks)
///     func `the transport keeps its promises`(check: TransportCheck) async throws {
///         try await check.run(MyTransport())
///     }
///
/// The checks speak HTTP/1.1 to a small server that they start themselves on the loopback interface.
public enum TransportConformance {
    /// All checks, in no order that matters.
    ///
    /// They may run at the same time.
    public static let checks: [TransportCheck] =
        messages + framing + uploads + redirects + repetition + faults + timeouts + cancellation + limits + streams

    /// The checks but those that a transport is known not to pass.
    ///
    /// - Parameter exclusions: Why, by the check's name. A name that no check has is a check that fails, so that no
    ///   exclusion outlives what it excludes.
    /// - Returns: The checks.
    public static func checks(except exclusions: [String: String]) -> [TransportCheck] {
        let names = Set(checks.map(\.name))
        let unknown = exclusions.keys.filter { !names.contains($0) }.sorted()
        return checks.filter { exclusions[$0.name] == nil }
            + unknown.map { name in
                TransportCheck("an exclusion names a check: \(name)") { _ in
                    throw ConformanceFailure("no check is named \"\(name)\"")
                }
            }
    }
}
