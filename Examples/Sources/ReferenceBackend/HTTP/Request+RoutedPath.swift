// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

extension Request {
    /// The path's components as the router compares them: as sent, without empty ones.
    var pathComponents: [Substring] { uri.path.split(separator: "/") }

    /// The path in the form of a route: `//api/jobs/` becomes `/api/jobs`.
    var routedPath: String { "/" + pathComponents.joined(separator: "/") }
}
