// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
public import AuthSession

extension AuthSession {
    /// Changes the user's profile at the app's own backend.
    ///
    /// Sends what the backend has listed as `SessionUser.missing`, or any other change. The backend checks the values
    /// and returns the user as changed, who becomes the session's user: in the state, and in the store. A 401 leads to
    /// one refresh and one repetition. If a user signed out or in meanwhile, nothing is taken over.
    ///
    /// A value that is nil stays unchanged.
    ///
    /// - Returns: The user as changed.
    /// - Throws: `AuthSessionError` (`profileRefused`: the backend refused a value; `contractMismatch`: the backend
    ///   is not an app's own; `invalidResponse`: the response names another user or can't be read; `superseded`: a user
    ///   signed out or in meanwhile; `unreachable`); the errors of `accessToken()`; `CancellationError`.
    ///
    /// Wire: `PUT /api/me`.
    @discardableResult
    public func updateProfile(name: String? = nil, phoneNumber: String? = nil) async throws -> SessionUser {
        guard let authority = authority as? any FirstPartyAuthority else { throw AuthSessionError(.contractMismatch) }
        let (known, epoch) = try await restoredUser()
        let update = ProfileUpdate(name: name, phoneNumber: phoneNumber)
        let user = try await response(to: update, from: authority.client, in: epoch)
        try await replaceUser(identifiedBy: known, with: user, in: epoch)
        return user
    }

    /// Sends an update with the session's token, and once more with another one if the first is refused.
    private func response(
        to update: ProfileUpdate,
        from client: FirstPartyClient,
        in epoch: Int
    ) async throws -> SessionUser {
        let token = try await credential().accessToken
        // The token of another user would write to another account.
        guard isCurrent(epoch) else { throw AuthSessionError(.superseded) }
        do {
            return try await update.sent(by: client, with: token)
        } catch let error as AuthSessionError where (error.underlying as? APIError)?.refusesTheUser ?? false {
            let other = try await credential(insteadOf: token).accessToken
            guard isCurrent(epoch) else { throw AuthSessionError(.superseded) }
            return try await update.sent(by: client, with: other)
        }
    }
}

/// The body of a change to the user's profile.
private struct ProfileUpdate: Encodable {
    let name: String?
    let phoneNumber: String?

    private struct Response: Decodable {
        let user: ReceivedUser
    }

    func sent(by client: FirstPartyClient, with token: AccessToken) async throws -> SessionUser {
        do {
            let response: Response = try await client.put("/api/me", json: self, bearer: token)
            return response.user.user
        } catch let error as APIError {
            let code: AuthSessionError.Code =
                switch error.code {
                case .unauthorized, .forbidden, .insufficientScope, .stepUpRequired, .refused, .rateLimited:
                    .profileRefused
                case .malformedResponse: .invalidResponse
                default: .unreachable
                }
            throw AuthSessionError(code, underlying: error)
        }
    }
}
