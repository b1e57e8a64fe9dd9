// SPDX-License-Identifier: Apache-2.0

import APIClient
import AppBackendSession
import AuthSession
import Observation

/// A job in the form of the backend's API.
nonisolated struct Job: Sendable, Hashable, Decodable {
    let id: String
    let title: String
    let address: String
    let status: String
}

/// The jobs of the signed-in user, which the backend's API returns.
@Observable
final class Jobs {
    /// Whether a request is in progress.
    private(set) var isLoading = false
    /// Whether the last request failed, although the server is reachable and the session is valid.
    private(set) var hasFailed = false

    private var loaded: [Job] = []
    private var owner: String?
    @ObservationIgnored private let session: AuthSession
    /// The API; nil at a provider, which has none.
    @ObservationIgnored private let api: APIClient?

    init(of session: AuthSession, from api: APIClient?) {
        (self.session, self.api) = (session, api)
    }

    /// Returns a user's jobs; nil until they are loaded.
    ///
    /// Another user's jobs never show.
    func jobs(of user: SessionUser?) -> [Job]? {
        user != nil && user?.id == owner ? loaded : nil
    }

    /// Asks the server whether the session is still valid, and for the jobs.
    func load() async {
        guard !isLoading else { return }
        isLoading = true
        defer { isLoading = false }
        repeat {
            hasFailed = false
            // Another window may have signed out. Other problems appear in the state.
            guard case .signedIn(let user, .online) = await session.validate() else { return }
            guard let api else { return }
            let jobs: [Job]? = try? await api.send(.get("/api/jobs"))
            // The server may have become unreachable, and the user another one, in between.
            guard case .signedIn(let current, .online) = session.state else { return }
            guard current?.id == user?.id else { continue }
            if let jobs { (loaded, owner) = (jobs, user?.id) } else { hasFailed = true }
            return
        } while !Task.isCancelled
    }
}
