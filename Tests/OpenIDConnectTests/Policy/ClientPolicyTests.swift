import Testing

@testable import OpenIDConnect

@Suite struct ClientPolicyTests {
    @Test func `a policy has a name that a store can keep`() {
        for policy in [ClientPolicy.none, .fapi2] { #expect(ClientPolicy(name: policy.name) == policy) }
        #expect(ClientPolicy.fapi2.name == "fapi2" && ClientPolicy.none.name == "none")
        for name in ["", "FAPI2", "fapi1"] { #expect(ClientPolicy(name: name) == nil) }
        #expect(ProviderSettings().policy == .none)
    }

    @Test func `each error is one sentence that names its clause`() {
        for code in ClientPolicyError.Code.allCases {
            let error = ClientPolicyError(code)
            #expect(error.description.hasSuffix("(\(error.clause))."))
            #expect(error.errorDescription == error.description)
        }
        #expect(Set(ClientPolicyError.Code.allCases.map { ClientPolicyError($0).description }).count == 11)
    }
}
