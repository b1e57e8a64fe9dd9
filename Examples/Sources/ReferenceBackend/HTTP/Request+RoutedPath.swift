internal import Hummingbird

extension Request {
    /// The path's components as the router compares them: as sent, and without the empty ones.
    var pathComponents: [Substring] { uri.path.split(separator: "/") }

    /// The path as a route is written: what came as `//api/jobs/` is `/api/jobs`.
    var routedPath: String { "/" + pathComponents.joined(separator: "/") }
}
