// SPDX-License-Identifier: Apache-2.0

import SecureStore
import Testing

@Suite struct ErrorInitializerTests {
    @Test func `another module can create a store error`() {
        let error = SecureStoreError(.denied, detail: "errno 13")
        #expect(error.code == .denied && error.detail == "errno 13")
    }
}
