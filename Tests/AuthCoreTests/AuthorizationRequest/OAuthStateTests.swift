// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct OAuthStateTests {
    @Test func `a state has 32 bytes in 43 base64url characters`() {
        let state = OAuthState().unredacted
        #expect(state.utf8.count == 43)
        #expect(Base64URL.decode(state.utf8)?.count == 32)
    }

    @Test func `two states differ`() {
        let states = (0..<64).map { _ in OAuthState().unredacted }
        #expect(Set(states).count == states.count)
    }

    @Test func `only the same state matches`() {
        let state = OAuthState()
        #expect(state.matches(state.unredacted))
        #expect(!state.matches(""))
        #expect(!state.matches(OAuthState().unredacted))
        #expect(!state.matches(state.unredacted + "a"))
        #expect(!state.matches(String(state.unredacted.dropLast())))
        #expect(!state.matches(state.unredacted.uppercased() + " "))
    }
}
