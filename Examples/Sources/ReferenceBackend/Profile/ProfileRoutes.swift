// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

/// The routes of the signed-in user's own account, which accept a token of either contract.
struct ProfileRoutes: Sendable {
    let bearer: BearerAuthenticator
    let accounts: AccountStore
    let profile: RequiredProfile

    private struct Answer: Encodable {
        let success = true
        let user: UserBody
    }

    /// Adds the routes.
    func add(to router: Router<BackendContext>) {
        router.get("/api/me") { request, _ in
            try JSONResponse.make(profile.body(of: await bearer.account(for: request)))
        }
        router.put("/api/me") { request, _ in
            let account = try await bearer.account(for: request)
            let changed = try await accounts.apply(try await .checked(request), to: account.id)
            return try JSONResponse.make(Answer(user: profile.body(of: changed)))
        }
    }
}
