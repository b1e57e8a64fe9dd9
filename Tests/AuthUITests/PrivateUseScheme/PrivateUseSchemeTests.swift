// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
import AuthUI
import Testing

@Suite struct PrivateUseSchemeTests {
    @Test func `a scheme is compared without case`() throws {
        let scheme = try #require(PrivateUseScheme("Com.Example.Recipe"))
        #expect(scheme.name == "com.example.recipe")
        #expect(scheme.matches("COM.EXAMPLE.recipe:/callback?code=c&state=s"))
    }

    @Test(arguments: [
        "", "recipe", "1com.example", ".com.example", "com.example:", "com.example/recipe", "com.exämple",
    ])
    func `a name that is no reverse domain name is refused`(name: String) {
        #expect(PrivateUseScheme(name) == nil)
    }

    @Test func `a scheme too long for a file name is refused`() {
        #expect(PrivateUseScheme("a." + String(repeating: "b", count: 198)) != nil)
        #expect(PrivateUseScheme("a." + String(repeating: "b", count: 199)) == nil)
    }

    @Test(arguments: [
        "", "com.example.recipe", "com.example.recip:/callback", "com.example.recipes:/callback",
        "com.example.other:/callback?code=c&state=s", "https://com.example.recipe:/callback",
        " com.example.recipe:/callback", "com.example.recipe:/call back", "com.example.recipe:/callback?code=ä",
        "com.example.recipe:/callback\n", "com.example.recipe:/callback\u{0}",
    ])
    func `an address of another scheme, or one that is no URI, does not match`(address: String) throws {
        #expect(try !#require(PrivateUseScheme("com.example.recipe")).matches(address))
    }

    @Test func `an address of more than 16,384 bytes does not match`() throws {
        let scheme = try #require(PrivateUseScheme("com.example.recipe"))
        let start = "com.example.recipe:/callback?code="
        #expect(scheme.matches(start + String(repeating: "c", count: 16_384 - start.count)))
        #expect(!scheme.matches(start + String(repeating: "c", count: 16_385 - start.count)))
    }
}
#endif
