/// What every `SecureStore` promises. A store's own tests run each check:
///
///     @Test(arguments: SecureStoreConformance.checks)
///     func `the store keeps its promises`(check: SecureStoreCheck) async throws {
///         try await check.run(MyStore())
///     }
public enum SecureStoreConformance {
    /// All checks, in no order that matters.
    ///
    /// They may run at the same time.
    public static let checks: [SecureStoreCheck] =
        reading + writing + replacing + removing + naming + sharing
}
