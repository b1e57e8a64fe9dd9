// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

/// Initializers with which this package's other modules throw the same errors.
@Suite struct ErrorInitializerTests {
    @Test func `another module can create a JWTDecodingError`() {
        let error = JWTDecodingError(.invalidMember, member: "exp")
        #expect(error.code == .invalidMember && error.member == "exp")
    }

    @Test func `another module can create a TokenFormatError`() {
        let error = TokenFormatError(.empty, in: "recovery code")
        #expect(error.code == .empty)
        #expect(error.description == "The recovery code is empty.")
    }
}
