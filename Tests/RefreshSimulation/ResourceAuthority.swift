// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthCore
import AuthSession
import HTTPTypes

/// The authority of the contract `tokenPair`, at a server that also issues access tokens for other APIs.
///
/// A token for another API comes from the same refresh call, with a header field that names the API.
struct ResourceAuthority: TokenAuthority {
    /// The other APIs.
    static let targets = [TokenTarget(audiences: ["mail"]), TokenTarget(audiences: ["bills"])]

    private let pair: any TokenAuthority
    private let connection: AuthorityConnection

    init(baseURL: BaseURL) {
        let backend = SessionBackend.firstParty(baseURL: baseURL, contract: .tokenPair)
        self.init(pair: backend.authority, connection: AuthorityConnection())
    }

    private init(pair: any TokenAuthority, connection: AuthorityConnection) {
        self.pair = pair
        self.connection = connection
    }

    func connected(over connection: AuthorityConnection) -> ResourceAuthority {
        ResourceAuthority(pair: pair.connected(over: connection), connection: connection)
    }

    var policy: AuthorityPolicy {
        var policy = pair.policy
        policy.resourceTokenGrants = [.refreshToken]
        return policy
    }

    func refresh(
        _ tokens: TokenSet,
        for request: ResourceRequest?,
        of user: SessionUser?,
        sendGuard: @escaping @Sendable () -> Bool
    ) async -> RefreshOutcome {
        guard let request else { return await pair.refresh(tokens, for: nil, of: user, sendGuard: sendGuard) }
        guard request.grant == .refreshToken, let transport = connection.transport else {
            return .failed(AuthSessionError(.contractMismatch))
        }
        let named = AuthorityConnection(
            transport: TargetTransport(base: transport, target: request.target),
            timeout: connection.timeout,
            clock: connection.clock,
            logger: connection.logger
        )
        return await pair.connected(over: named).refresh(tokens, for: nil, of: user, sendGuard: sendGuard)
    }

    // MARK: As without other APIs

    var baseURL: BaseURL { pair.baseURL }
    var record: AuthorityRecord { pair.record }

    func canRefresh(_ tokens: TokenSet) -> Bool { pair.canRefresh(tokens) }

    func validate(_ tokens: TokenSet, of user: SessionUser?) async -> SessionValidation? {
        await pair.validate(tokens, of: user)
    }

    func credential(for tokens: TokenSet) -> AccessCredential { pair.credential(for: tokens) }

    func signOut(_ tokens: RevocableTokens) async -> RevocationResponse { await pair.signOut(tokens) }
}

/// A transport that names the API in every request.
private struct TargetTransport: Transport {
    let base: any Transport
    let target: TokenTarget

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.head.headerFields[SimulatedServer.targetField] = target.name
        return try await base.send(request)
    }
}

extension TokenTarget {
    /// The name by which the simulated server knows the API.
    var name: String { audiences.joined(separator: " ") }
}
