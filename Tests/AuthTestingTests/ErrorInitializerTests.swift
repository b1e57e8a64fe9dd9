// SPDX-License-Identifier: Apache-2.0

import AuthTesting
import Testing

@Suite struct ErrorInitializerTests {
    @Test func `another module can create a conformance failure`() {
        #expect(ConformanceFailure("an item was lost").message == "an item was lost")
    }
}
