import AuthTesting
import SecureStore
import Testing

@Suite struct MemoryStoreTests {
    @Test(arguments: SecureStoreConformance.checks + SecureStoreConformance.wholeStoreChecks)
    func `a memory store keeps every store's promises`(check: SecureStoreCheck) async throws {
        try await check.run(MemoryStore())
    }
}
