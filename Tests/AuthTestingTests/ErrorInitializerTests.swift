import AuthTesting
import Testing

@Suite struct ErrorInitializerTests {
    @Test func `another module makes a failure of a conformance check`() {
        #expect(ConformanceFailure("an item was lost").message == "an item was lost")
    }
}
