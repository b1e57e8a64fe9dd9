// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

@Suite struct TokenFormatTests {
    enum Kind: CaseIterable {
        case accessToken
        case refreshToken
        case idToken
        case apiKey
        case clientSecret

        var name: String {
            switch self {
            case .accessToken: "access token"
            case .refreshToken: "refresh token"
            case .idToken: "ID token"
            case .apiKey: "API key"
            case .clientSecret: "client secret"
            }
        }

        func make(_ text: String) throws(TokenFormatError) -> String {
            switch self {
            case .accessToken: try AccessToken(text).unredacted
            case .refreshToken: try RefreshToken(text).unredacted
            case .idToken: try IDToken(text).unredacted
            case .apiKey: try APIKey(text).unredacted
            case .clientSecret: try ClientSecret(text).unredacted
            }
        }
    }

    @Test(arguments: Kind.allCases, ["a", "abc.DEF-0_9", String(repeating: "a", count: 65_536)])
    func `a well-formed token is kept unchanged`(kind: Kind, text: String) throws {
        #expect(try kind.make(text) == text)
    }

    @Test(arguments: Kind.allCases)
    func `an empty token is refused`(kind: Kind) {
        let error = #expect(throws: TokenFormatError.self) { try kind.make("") }
        #expect(error?.code == .empty)
    }

    @Test(arguments: Kind.allCases)
    func `a token over 64 KiB is refused`(kind: Kind) {
        let error = #expect(throws: TokenFormatError.self) { try kind.make(String(repeating: "a", count: 65_537)) }
        #expect(error?.code == .tooLong)
    }

    /// A line break would start another header field.
    @Test(
        arguments: Kind.allCases,
        ["a\r\nX: y", "a\nb", "a\rb", "a\u{0}b", "\u{7F}", "a\tb", "\u{E9}", "a\u{200B}b", "\u{1F511}"]
    )
    func `control and non-ASCII characters are refused`(kind: Kind, text: String) {
        let error = #expect(throws: TokenFormatError.self) { try kind.make(text) }
        #expect(error?.code == .invalidCharacter)
    }

    @Test(arguments: [Kind.accessToken, .idToken, .apiKey], [" ", "a b", " a", "a "])
    func `a space is refused if it would end the credential`(kind: Kind, text: String) {
        let error = #expect(throws: TokenFormatError.self) { try kind.make(text) }
        #expect(error?.code == .invalidCharacter)
    }

    @Test(arguments: [Kind.refreshToken, .clientSecret])
    func `a space is accepted in a refresh token and in a client secret`(kind: Kind) throws {
        #expect(try kind.make("a b") == "a b")
    }

    @Test(arguments: ["a+b", "a/b", "a=", "a~b", "a,b", "\"a\""])
    func `an ID token consists of base64url and dots`(text: String) {
        let error = #expect(throws: TokenFormatError.self) { try IDToken(text) }
        #expect(error?.code == .invalidCharacter)
    }

    @Test func `a password is kept unchanged`() {
        let text = " p\u{E4}ss\n\u{1F511}"
        #expect(Password(text).unredacted == text)
        #expect(Password("").unredacted.isEmpty)
    }

    @Test func `secrets are equal if their whole values are equal`() throws {
        #expect(try AccessToken("abc") == AccessToken("abc"))
        #expect(try AccessToken("abc") != AccessToken("abd"))
        #expect(try AccessToken("abc") != AccessToken("abcd"))
        #expect(try AccessToken("abc") != AccessToken("abc").bound)
        #expect(try AccessToken("abc").bound == AccessToken("abc").bound)
        #expect(try RefreshToken("abc") == RefreshToken("abc"))
        #expect(try RefreshToken("abc") != RefreshToken("Abc"))
        #expect(try IDToken("a.b.c") != IDToken("a.b.d"))
        #expect(try APIKey("abc") != APIKey("abd"))
        #expect(try ClientSecret("abc") != ClientSecret("abd"))
        #expect(Password("abc") != Password("abd"))
        #expect(SecretBytes([1, 2]) != SecretBytes([2, 1]))
        #expect(SecretBytes([1, 2]) == SecretBytes([1, 2]))
    }

    /// The letter "e" with an accent has two spellings.
    ///
    /// `String` considers them equal, but a server does not.
    @Test func `passwords are compared by their bytes`() {
        #expect(Password("\u{E9}") != Password("e\u{301}"))
    }

    @Test(arguments: [TokenFormatError.Code.empty, .tooLong, .tooShort, .invalidCharacter])
    func `every error code has its own description`(code: TokenFormatError.Code) {
        let others = [TokenFormatError.Code.empty, .tooLong, .tooShort, .invalidCharacter].filter { $0 != code }
        let sentence = TokenFormatError(code, in: "access token").description
        #expect(sentence.hasSuffix("."))
        #expect(!others.map { TokenFormatError($0, in: "access token").description }.contains(sentence))
    }

    /// The words "The token" would mislead a user whose client secret is invalid.
    @Test(arguments: Kind.allCases, ["", "p\u{E4}ss", String(repeating: "a", count: 65_537)])
    func `an error names the kind of credential and does not quote it`(kind: Kind, text: String) throws {
        let error = try #require(#expect(throws: TokenFormatError.self) { try kind.make(text) })
        #expect(error.description.hasPrefix("The \(kind.name) "))
        #expect(text.isEmpty || !error.description.contains(text))
        #expect(!error.description.contains("\u{E4}"))
    }

    @Test func `errors are compared by code, not by credential`() {
        #expect(TokenFormatError(.empty, in: "API key") == TokenFormatError(.empty, in: "client secret"))
        #expect(TokenFormatError(.empty, in: "API key") != TokenFormatError(.tooLong, in: "API key"))
    }
}
