// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Testing

/// The redaction of secrets, however they are printed and whatever type contains them.
@Suite struct RedactionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let needles: [String]
        let value: any Secret

        init<Value: Secret>(_ value: Value) where Value.Unredacted == String {
            testDescription = "\(Value.self)"
            needles = [value.unredacted, String(value.unredacted.prefix(8))]
            self.value = value
        }

        init(_ value: SecretBytes) {
            testDescription = "SecretBytes"
            needles = [
                "\(value.unredacted)", "115, 101, 99", "115\n", String(decoding: value.unredacted, as: UTF8.self),
            ]
            self.value = value
        }
    }

    private struct Plain {
        let text: String
    }

    private struct Holder<Value> {
        let name = "holder"
        let value: Value
        let optional: Value?
        let list: [Value]
    }

    private struct HolderError<Value: Sendable>: Error {
        let value: Value
    }

    private enum Wrapped<Value> {
        case value(Value)
    }

    private struct Person: Redacted {
        let email: String
    }

    private struct Order: Redacted {
        let number: Int
        let note: String

        var description: String { "order \(number)" }
    }

    static func cases() throws -> [Case] {
        [
            Case(try AccessToken("sk-access-4f1d")),
            Case(try RefreshToken("sk-refresh-4f1d")),
            Case(try IDToken("sk-idtoken-4f1d.x.y")),
            Case(try APIKey("sk-apikey-4f1d")),
            Case(try ClientSecret("sk-client-4f1d")),
            Case(Password("sk-password-4f1d")),
            Case(SecretBytes("secret bytes".utf8)),
            Case(Nonce()),
            Case(OAuthState()),
            Case(CodeVerifier()),
        ]
    }

    /// Returns the results of all of Swift's ways to turn a value into text.
    private static func renderings<Value: Sendable>(of value: Value) -> [String] {
        let holder = Holder(value: value, optional: value, list: [value, value])
        let holders: [Any] = [
            value, holder, [value], ["key": value], Optional(value) as Any, (value, 1), Wrapped.value(value),
            HolderError(value: value), Result<Value, HolderError<Value>>.success(value),
            Result<Value, HolderError<Value>>.failure(HolderError(value: value)),
        ]
        return holders.flatMap { holder in
            var dumped = ""
            dump(holder, to: &dumped)
            var printed = ""
            print(holder, to: &printed)
            return ["\(holder)", String(describing: holder), String(reflecting: holder), dumped, printed]
                + leaves(of: holder)
        }
    }

    /// Returns the descriptions of all descendants that mirrors find.
    private static func leaves(of value: Any) -> [String] {
        Mirror(reflecting: value).children.flatMap { child in
            [String(reflecting: child.value)] + leaves(of: child.value)
        }
    }

    private static func renderings(ofAny secret: any Secret) -> [String] {
        func open(_ value: some Secret) -> [String] { renderings(of: value) }
        return open(secret)
    }

    @Test(arguments: try cases())
    func `a printed secret does not show its value`(secret: Case) {
        for rendering in Self.renderings(ofAny: secret.value) {
            for needle in secret.needles {
                #expect(!rendering.contains(needle))
            }
        }
    }

    @Test(arguments: try cases())
    func `a secret is described as redacted and has no children`(secret: Case) {
        #expect(secret.value.description == "<redacted>")
        #expect(secret.value.debugDescription == "<redacted>")
        #expect("\(secret.value)" == "<redacted>")
        #expect(Mirror(reflecting: secret.value).children.isEmpty)
    }

    /// Verifies the check itself: every rendering, except a mirror's inner leaves, shows a value that is not a secret.
    @Test func `a value that is not redacted is found`() {
        let found = Self.renderings(of: Plain(text: "sk-plain-4f1d")).filter { $0.contains("sk-plain-4f1d") }
        #expect(found.count >= 50)
    }

    @Test func `a printed token set shows no token`() throws {
        let tokens = TokenSet(
            accessToken: try AccessToken("sk-access-4f1d"),
            lifetime: TokenLifetime(issuedAt: nil, expiresAt: nil),
            refreshToken: try RefreshToken("sk-refresh-4f1d"),
            idToken: try IDToken("sk-idtoken-4f1d"),
            scope: "openid"
        )
        for rendering in Self.renderings(of: tokens) {
            #expect(!rendering.contains("4f1d"))
        }
    }

    @Test func `an error does not contain the refused token`() {
        let error = #expect(throws: TokenFormatError.self) { try AccessToken("sk-access 4f1d") }
        for rendering in Self.renderings(of: error) {
            #expect(!rendering.contains("4f1d"))
        }
    }

    /// Claims are not a secret of the app, but must not be logged, because they are about the user.
    @Test func `a printed unverified token does not show its claims`() throws {
        let token = try UnverifiedJWT(CompactJWT.make(payload: #"{"email":"person@example.com"}"#))
        let bytes = "112, 101, 114, 115, 111, 110"
        for rendering in Self.renderings(of: token) + Self.renderings(of: token.claims)
            + Self.renderings(of: token.header)
        {
            #expect(!rendering.contains("person") && !rendering.contains(bytes) && !rendering.contains("- 112\n"))
        }
        let printed = "UnverifiedJWT(<redacted>) JOSEHeader(<redacted>) UnverifiedClaims(<redacted>)"
        #expect("\(token) \(token.header) \(token.claims)" == printed)
    }

    @Test func `a redacted type shows only its name`() {
        for rendering in Self.renderings(of: Person(email: "sk-person-4f1d")) {
            #expect(!rendering.contains("4f1d"))
        }
        let person = Person(email: "sk-person-4f1d")
        #expect("\(person) \(String(reflecting: person))" == "Person(<redacted>) Person(<redacted>)")
        var dumped = ""
        dump(person, to: &dumped)
        #expect(dumped == "- Person(<redacted>)\n")
        #expect(Mirror(reflecting: person).children.isEmpty)
    }

    @Test func `a redacted type with its own description shows only the description`() {
        for rendering in Self.renderings(of: Order(number: 7, note: "sk-note-4f1d")) {
            #expect(!rendering.contains("4f1d"))
        }
        let order = Order(number: 7, note: "sk-note-4f1d")
        #expect("\(order) \(String(reflecting: order))" == "order 7 order 7")
    }

    /// An encoder would be another way out.
    ///
    /// Secrets are persisted only through the store's record.
    @Test(arguments: try cases())
    func `a secret is not codable`(secret: Case) {
        #expect(!(secret.value is any Encodable))
        #expect(!(secret.value is any Decodable))
    }

    @Test func `a token set is not codable`() throws {
        let tokens: Any = TokenSet(
            accessToken: try AccessToken("a"),
            lifetime: TokenLifetime(issuedAt: nil, expiresAt: nil)
        )
        #expect(!(tokens is any Encodable))
        #expect(!(tokens is any Decodable))
    }
}
