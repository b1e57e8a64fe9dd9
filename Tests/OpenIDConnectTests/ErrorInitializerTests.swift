// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect
import Testing

/// Clients, browsers and test doubles of other modules throw the same errors.
@Suite struct ErrorInitializerTests {
    private struct Cause: Error {}

    @Test func `another module can create an OpenIDError with a code`() {
        let error = OpenIDError(
            .token,
            .refused,
            oauthCode: .invalidGrant,
            serverMessage: "No.",
            status: 400,
            retryAfter: .seconds(3),
            underlying: Cause()
        )
        #expect(error.operation == .token && error.code == .refused && error.reason == nil)
        #expect(error.oauthCode == .invalidGrant && error.serverMessage == "No.")
        #expect(error.status == 400 && error.retryAfter == .seconds(3) && error.underlying is Cause)
    }

    @Test func `another module can create an OpenIDError with a reason, which decides the code`() {
        let error = OpenIDError(
            .userInfo,
            .unauthorized,
            oauthCode: .invalidToken,
            status: 401,
            underlying: Cause()
        )
        #expect(error.code == .refused && error.reason == .unauthorized && error.oauthCode == .invalidToken)
        #expect(error.status == 401 && error.underlying is Cause)
        let refused = OpenIDError(.token, .idToken(IDTokenError(.expired)))
        #expect(refused.code == .invalidResponse && refused.underlying as? IDTokenError == IDTokenError(.expired))
    }

    @Test func `another module can create an IDTokenError`() {
        let error = IDTokenError(.missingClaim, claim: "sub", underlying: Cause())
        #expect(error.code == .missingClaim && error.claim == "sub" && error.underlying is Cause)
    }

    @Test(arguments: OpenIDError.Operation.allCases)
    func `no code has another code's sentence`(operation: OpenIDError.Operation) {
        let sentences = OpenIDError.Code.allCases.map { OpenIDError(operation, $0).description }
        #expect(Set(sentences).count == OpenIDError.Code.allCases.count)
    }
}
