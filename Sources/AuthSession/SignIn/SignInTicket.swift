/// A sign-in in progress.
///
/// It belongs to the session that created it.
public struct SignInTicket: Sendable {
    let signInGeneration: Int
    let isRemembered: Bool
    let found: Replaced
    /// The measurement of the sign-in, which ends with it; nil if nothing is measured.
    let measurement: OperationMeasurement?

    /// Notes for metrics and traces why the sign-in failed.
    ///
    /// A sign-in whose error nobody notes counts as abandoned. The first error counts.
    ///
    /// - Parameter error: The error. Only its code or type is recorded.
    package func noteFailure(_ error: any Error) {
        measurement?.fail(error)
    }
}
