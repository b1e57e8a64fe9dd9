// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import HTTPTypes

/// A custom login with one opaque token, which also serves to get the next one.
///
/// The article "Adding another kind of backend" of AuthSession shows this file. Change both together.
struct ParcelAuthority: TokenAuthority {
    let baseURL: BaseURL
    private let client: APIClient
    private let clock: SessionClock

    init(_ baseURL: BaseURL, over connection: AuthorityConnection = AuthorityConnection()) {
        self.baseURL = baseURL
        client = connection.client(baseURL: baseURL)
        clock = connection.clock
    }

    func connected(over connection: AuthorityConnection) -> ParcelAuthority {
        ParcelAuthority(baseURL, over: connection)
    }
}

extension ParcelAuthority {
    var record: AuthorityRecord {
        AuthorityRecord(id: AuthorityID(kind: "parcels", server: baseURL.description))
    }
}

extension ParcelAuthority {
    func signIn(name: String, pin: Password) async throws -> IssuedTokens {
        let body = ["name": name, "pin": pin.unredacted]
        return try await issued(.post("/login", body: try .json(body)))
    }

    private func issued(_ call: Endpoint<Answer>) async throws -> IssuedTokens {
        let start = clock.reading()
        var call = call.anonymous
        call.sendsOnce = true
        let answer = try await client.send(call)
        let tokens = TokenSet(
            accessToken: try AccessToken(answer.token),
            lifetime: TokenLifetime(expiresIn: answer.seconds, from: start.date)
        )
        return IssuedTokens(tokens: tokens, requestedAt: start)
    }

    private func call<Response>(_ endpoint: Endpoint<Response>, showing token: AccessToken) -> Endpoint<Response> {
        var endpoint = endpoint.anonymous
        endpoint.headers[.authorization] = "Bearer \(token.unredacted)"
        return endpoint
    }

    private struct Answer: Decodable {
        let token: String
        let seconds: Int
    }
}

extension ParcelAuthority {
    var policy: AuthorityPolicy { AuthorityPolicy(rotation: .keepsToken, signOut: .endsSession) }

    func canRefresh(_ tokens: TokenSet) -> Bool { true }

    func refresh(
        _ tokens: TokenSet,
        for request: ResourceRequest?,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        do {
            return .refreshed(try await issued(call(.post("/renew"), showing: tokens.accessToken)))
        } catch {
            return RefreshOutcome(failure: error)
        }
    }
}

extension ParcelAuthority {
    func signOut(_ tokens: RevocableTokens) async -> RevocationResponse {
        guard let token = tokens.accessToken else { return .notApplicable }
        do {
            try await client.send(call(Endpoint<Void>.post("/logout"), showing: token))
            return .revoked
        } catch {
            return RevocationResponse(failure: error)
        }
    }
}

extension AuthSession {
    func signIn(name: String, pin: Password) async throws {
        guard let parcels = backend.authority as? ParcelAuthority else {
            throw AuthSessionError(.contractMismatch)
        }
        let ticket = try await signInTicket()
        try await ticket.observing {
            let issued = try await parcels.signIn(name: name, pin: pin)
            try await complete(ticket, with: issued, user: SessionUser(id: name))
        }
    }
}

extension AuthorityKind {
    static let parcels = AuthorityKind { record in
        guard record.id.kind == "parcels" else { return nil }
        guard let baseURL = try? BaseURL(record.id.server) else { throw SessionRecordError(.damaged) }
        return ParcelAuthority(baseURL)
    }
}
