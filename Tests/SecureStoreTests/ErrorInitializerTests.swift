import SecureStore
import Testing

@Suite struct ErrorInitializerTests {
    @Test func `another module makes an error of a store`() {
        let error = SecureStoreError(.denied, detail: "errno 13")
        #expect(error.code == .denied && error.detail == "errno 13")
    }
}
