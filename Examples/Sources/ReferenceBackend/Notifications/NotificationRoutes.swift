// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

/// The route by which an app registers its device for notifications, with a token of either contract.
///
/// This server sends no notifications: the registrations are an example.
struct NotificationRoutes: Sendable {
    let bearer: BearerAuthenticator
    let devices: DeviceTokenStore

    /// Adds the route.
    func add(to router: Router<BackendContext>) {
        router.post("/api/notifications/token") { request, _ in
            let claims = try await bearer.claims(for: request)
            _ = try await bearer.account(claims)
            let device = try await JSONRequest.decode(DeviceToken.self, from: request)
            try device.validate()
            try await devices.register(device, for: claims)
            return Response(status: .noContent)
        }
    }
}
