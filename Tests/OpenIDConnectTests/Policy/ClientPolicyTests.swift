// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OpenIDConnect

@Suite struct ClientPolicyTests {
    @Test func `a policy has a name that a store can keep`() {
        for policy in [ClientPolicy.standard, .fapi2] { #expect(ClientPolicy(name: policy.name) == policy) }
        #expect(ClientPolicy.fapi2.name == "fapi2" && ClientPolicy.standard.name == "standard")
        for name in ["", "FAPI2", "fapi1", "none"] { #expect(ClientPolicy(name: name) == nil) }
        #expect(ProviderSettings().policy == .standard)
    }

    @Test func `each error is one sentence that names its clause`() {
        for code in ClientPolicyError.Code.allCases {
            let error = ClientPolicyError(code)
            #expect(error.description.hasSuffix("(\(error.clause))."))
            #expect(error.errorDescription == error.description)
        }
        let sentences = Set(ClientPolicyError.Code.allCases.map { ClientPolicyError($0).description })
        #expect(sentences.count == ClientPolicyError.Code.allCases.count)
    }
}
