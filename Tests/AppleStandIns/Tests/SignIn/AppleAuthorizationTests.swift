// SPDX-License-Identifier: Apache-2.0

import AppBackendSession
import AuthCore
import AuthSession
import AuthTesting
import AuthUI
import AuthenticationServices
import Foundation
import Testing

/// The library's part of Sign in with Apple.
@Suite @MainActor struct AppleAuthorizationTests {
    private func authorization(
        token: String? = "aaa.bbb.ccc",
        email: String? = nil,
        name: PersonNameComponents? = nil
    ) -> ASAuthorization {
        ASAuthorization(
            credential: ASAuthorizationAppleIDCredential(
                user: "001.abc",
                identityToken: token.map { Data($0.utf8) },
                email: email,
                fullName: name
            )
        )
    }

    private func manager() async throws -> (AuthenticationManager, Fixture) {
        let fixture = try Fixture(.sessionToken)
        let manager = AuthenticationManager(session: fixture.session)
        await manager.restore()
        return (manager, fixture)
    }

    @Test func `the request has a hashed nonce and the app's scopes`() async throws {
        let (manager, _) = try await manager()
        let request = ASAuthorizationAppleIDRequest()
        manager.handleAppleSignInRequest(request, scopes: [.fullName, .email])
        #expect(request.requestedScopes == [.fullName, .email])
        #expect(request.nonce?.utf8.count == 64)
    }

    @Test func `Apple's credential signs the user in`() async throws {
        let (manager, fixture) = try await manager()
        let request = ASAuthorizationAppleIDRequest()
        manager.handleAppleSignInRequest(request, scopes: [])
        let name = PersonNameComponents(givenName: "Ada", familyName: "Lovelace")
        let authorization = authorization(email: "ada@example.org", name: name)
        await manager.handleAppleSignInCompletion(authorization: .success(authorization))
        #expect(manager.isAuthenticated)
        #expect(manager.errorMessage == nil)
        let members = try #require(try fixture.transport.requests.first?.members)
        #expect(members["identity_token"] == .string("aaa.bbb.ccc"))
        #expect(members["userIdentifier"] == .string("001.abc"))
        #expect(members["email"] == .string("ada@example.org"))
        #expect(members["name"] == .string("Ada Lovelace"))
        guard case .string(let nonce)? = members["nonce"] else { throw NothingThrown() }
        #expect(request.nonce != nonce)
    }

    @Test func `a later credential has no name and no email address`() throws {
        let credential = try AppleCredential(authorization(name: PersonNameComponents()))
        #expect(credential.name == nil)
        #expect(credential.email == nil)
        #expect(credential.userIdentifier == "001.abc")
    }

    @Test(arguments: [nil, "", "no token", "é"])
    func `an authorization without an identity token is refused`(token: String?) async throws {
        let result = AppleCredential.result(of: .success(authorization(token: token)))
        #expect(throws: AuthSessionError(.invalidResponse)) { try result.get() }
    }

    @Test func `a credential of another kind is refused`() {
        let authorization = ASAuthorization(credential: ASPasswordCredential(user: "ada", password: "p"))
        #expect(throws: AuthSessionError(.invalidResponse)) { try AppleCredential(authorization) }
    }

    @Test func `a cancellation by the user is not reported as an error`() async throws {
        let (manager, _) = try await manager()
        manager.handleAppleSignInRequest(ASAuthorizationAppleIDRequest(), scopes: [])
        await manager.handleAppleSignInCompletion(authorization: .failure(ASAuthorizationError(.canceled)))
        #expect(manager.errorMessage == nil)
        #expect(!manager.isLoading)
        let result = AppleCredential.result(of: .failure(ASAuthorizationError(.canceled)))
        #expect(throws: CancellationError.self) { try result.get() }
    }

    @Test(arguments: [ASAuthorizationError.Code.unknown, .failed, .notHandled, .invalidResponse])
    func `any other failure is reported in one sentence`(code: ASAuthorizationError.Code) async throws {
        let (manager, _) = try await manager()
        manager.handleAppleSignInRequest(ASAuthorizationAppleIDRequest(), scopes: [])
        await manager.handleAppleSignInCompletion(authorization: .failure(ASAuthorizationError(code)))
        #expect(manager.errorMessage == "Something went wrong. Try again.")
    }
}
