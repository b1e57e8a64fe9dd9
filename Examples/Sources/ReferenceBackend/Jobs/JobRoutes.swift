// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

/// The protected routes, which accept a token of either contract, and the one public route.
struct JobRoutes: Sendable {
    let bearer: BearerAuthenticator
    let jobs: JobStore

    private struct NewJob: Decodable {
        let title: String
        let address: String
    }

    private struct Healthy: Encodable {
        let success = true
    }

    /// Adds the routes.
    func add(to router: Router<BackendContext>) {
        router.get("/health") { _, _ in try JSONResponse.make(Healthy()) }
        router.get("/api/jobs") { request, _ in
            _ = try await bearer.account(for: request)
            return try JSONResponse.make(await jobs.all())
        }
        router.post("/api/jobs") { request, _ in
            _ = try await bearer.account(for: request)
            let body = try await JSONRequest.decode(NewJob.self, from: request)
            try JSONRequest.check(body.title, isBetween: 1, and: 200, member: "title")
            try JSONRequest.check(body.address, isBetween: 1, and: 200, member: "address")
            guard let job = try await jobs.add(title: body.title, address: body.address) else {
                throw APIFailure.internalError
            }
            return try JSONResponse.make(job, status: .created)
        }
    }
}
