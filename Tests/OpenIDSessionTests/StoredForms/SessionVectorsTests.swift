// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import OpenIDConnect
import SecureStore
import TestSupport
import Testing

@testable import AuthSession
@testable import OpenIDSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Every stored form that was ever written, which every later version must read.
///
/// Never change a vector or a line of `SHA256SUMS`: add one.
@Suite struct SessionVectorsTests {
    @Test func `no vector has changed, and each is listed`() throws {
        let names = SessionVector.folder.names()
        let sums = try names.map { Hexadecimal.encode(SecretBytes(try SessionVector.folder.bytes($0)).sha256) }
        #expect(try SessionVector.folder.listedSums() == Dictionary(uniqueKeysWithValues: zip(names, sums)))
        // Those of 0.1.0.
        #expect(names.count >= 41)
    }

    // MARK: Sessions

    @Test(arguments: try SessionVector.all("session"))
    func `a session of every version is read exactly`(vector: SessionVector) throws {
        guard let value = vector.value else {
            let error = #expect(throws: SessionRecordError.self) { try SessionRecord(vector.item) }
            #expect(error?.code.description == vector.expect)
            return
        }
        let record = try SessionRecord(vector.item)
        #expect(try SessionVector.json(RecordReading(record)) == value)
        #expect(record.tokens.accessToken.isBound == (record.tokens.dpopKeyBytes != nil))
        #expect(record.resourceTokens.all.allSatisfy { $0.accessToken.isBound == record.tokens.accessToken.isBound })
    }

    @Test(arguments: try SessionVector.all("session").filter { $0.writes == .string("same") })
    func `a session of 0.1.0 is written as 0.1.0 wrote it, byte for byte`(vector: SessionVector) throws {
        let record = try SessionRecord(vector.item)
        #expect(String(decoding: try record.encoded().unredacted, as: UTF8.self) == vector.input)
        // The description of the authority is kept as it was read. A new sign-in writes it from its values.
        #expect(try AuthorityReading.rewritten(record.authority) == record.authority)
    }

    @Test(arguments: try SessionVector.all("session").filter { $0.value != nil && $0.writes != .string("same") })
    func `a session of an earlier form is written with the same members, or those of its vector`(
        vector: SessionVector
    ) throws {
        let written = try SessionVector.members(of: SessionRecord(vector.item).encoded())
        #expect(try written == (vector.writes == .string("members") ? vector.members : vector.writes))
    }

    // MARK: The items beside a session

    private struct Revocation: Encodable {
        let subject: String?
        let refreshToken: String?
        let accessToken: String?
        let exchangedTokens: [String]
        let endedAt: Double
        /// The client at a provider; nil at another authority.
        let client: String?

        init(_ grant: EndedGrant) {
            (subject, endedAt) = (grant.subject, grant.endedAt)
            refreshToken = grant.tokens?.refreshToken?.unredacted
            accessToken = grant.tokens?.accessToken?.unredacted
            exchangedTokens = grant.tokens?.exchangedTokens.map(\.unredacted) ?? []
            client = try? ProviderFormat.provider(grant.authority).client.id
        }
    }

    @Test(arguments: try SessionVector.all("ended"))
    func `pending revocations of every version are read exactly, and written with the same members`(
        vector: SessionVector
    ) throws {
        let pending = try PendingRevocations(vector.item)
        #expect(try SessionVector.json(pending.grants.map { Revocation($0) }) == vector.value)
        #expect(try SessionVector.members(of: pending.encoded()) == vector.members)
    }

    private struct Accounts: Encodable {
        let current: String?
        let accounts: [String]
        let left: [String]
    }

    @Test(arguments: try SessionVector.all("accounts"))
    func `a list of accounts of every version is read exactly, and written byte for byte`(
        vector: SessionVector
    ) throws {
        let list = try AccountList(vector.item)
        let reading = Accounts(current: list.current, accounts: list.accounts.map(\.id), left: list.left)
        #expect(try SessionVector.json(reading) == vector.value)
        #expect(list.accounts.first?.user == SessionUser(id: "u1", name: "Ada"))
        #expect(String(decoding: try list.encoded().unredacted, as: UTF8.self) == vector.input)
    }

    private struct Authorization: Encodable {
        let redirectURI: String
        let scope: String?
        let nonce: String
        let state: String
        let codeVerifier: String
        let hasKey: Bool
        let maximumAge: Double?
        let resources: [String]
        let stepUp: StepUpRequirement?

        init(_ request: AuthorizationRequest) {
            (redirectURI, nonce) = (request.redirectURI, request.nonce)
            (state, codeVerifier) = (request.state.unredacted, request.codeVerifier.unredacted)
            hasKey = request.dpopKey != nil
            let parameters = request.parameters
            (scope, resources, stepUp) = (parameters.scope?.description, parameters.resources, parameters.stepUp)
            maximumAge = parameters.maximumAge?.timeInterval
        }
    }

    @Test(arguments: try SessionVector.all("pending/authorization"))
    func `a pending sign-in at a provider is read exactly, and written with the same members`(
        vector: SessionVector
    ) throws {
        let pending = try #require(PendingAuthorization(vector.item))
        let provider = try pending.provider.provider()
        let now = Date(timeIntervalSince1970: 1_800_000_060)
        let request = try #require(PendingAuthorization(vector.item, of: provider, at: now)?.request(at: provider))
        #expect(try SessionVector.json(Authorization(request)) == vector.value)
        #expect(try SessionVector.members(of: pending.encoded()) == vector.members)
    }

    private struct AppleSignIn: Encodable {
        let clientID: String
        let redirectURI: String
        let nonce: String
        let state: String
        let codeVerifier: String

        init(_ signIn: AppleRedirectSignIn) {
            (clientID, redirectURI) = (signIn.clientID, signIn.redirectURI)
            (nonce, state) = (signIn.nonce.unredacted, signIn.state.unredacted)
            codeVerifier = signIn.codeVerifier.unredacted
        }
    }

    @Test(arguments: try SessionVector.all("pending/apple"))
    func `a pending sign-in with Apple is read exactly, and written with the same members`(
        vector: SessionVector
    ) throws {
        let pending = try #require(PendingAppleSignIn(vector.item))
        let now = Date(timeIntervalSince1970: 1_800_000_060)
        let signIn = pending.signIn(at: try BaseURL("https://api.example.org"), at: now)
        #expect(try SessionVector.json(AppleSignIn(#require(signIn))) == vector.value)
        #expect(try SessionVector.members(of: pending.encoded()) == vector.members)
    }

    @Test func `the items have the names of 0.1.0`() throws {
        let names: [String: String] = try SessionVector.folder.read("keys.json")
        #expect(SessionRecord.key.name == names["session"])
        #expect(SessionRecord.unreadableKey.name == names["unreadable"])
        #expect(PendingRevocations.key.name == names["ended"])
        #expect(StoreKey.pendingSignIn.name == names["pending"])
        #expect(AccountList.key.name == names["accounts"])
    }
}
