import AuthCore
import Testing

@Suite struct ScopeTests {
    @Test(
        arguments: [
            ("", []), (" ", []), ("openid", ["openid"]), ("openid email", ["openid", "email"]),
            (" openid  email ", ["openid", "email"]), ("a b a", ["a", "b"]), ("b a", ["b", "a"]), ("a A", ["a", "A"]),
        ] as [(String, [String])]
    )
    func `values are read in order, each once`(text: String, values: [String]) {
        #expect(Scope(text).values == values)
    }

    @Test func `a scope reads as on the wire`() {
        #expect(Scope(" openid  email openid").description == "openid email")
    }

    @Test func `a value is contained whole and in its case`() {
        let scope: Scope = "openid email"
        #expect(scope.contains("email"))
        #expect(!scope.contains("mail"))
        #expect(!scope.contains("Email"))
        #expect(!scope.contains("openid email"))
    }
}
