// SPDX-License-Identifier: Apache-2.0

/// A request to the system not to suspend the app during a refresh.
///
/// An app that is suspended between sending a refresh and storing its response loses the response. On a phone, the
/// system grants some more seconds on request, and the app passes an implementation that makes the request.
public protocol BackgroundAssertion: Sendable {
    /// Runs work that must end before the app is suspended.
    ///
    /// - Parameters:
    ///   - reason: The purpose, for the system's log; holds no secret.
    ///   - work: The work. It must run exactly once, even if the system does not grant the time.
    func perform(_ reason: String, _ work: () async -> Void) async
}

/// The implementation for systems that don't suspend apps.
struct NoBackgroundAssertion: BackgroundAssertion {
    func perform(_ reason: String, _ work: () async -> Void) async { await work() }
}
