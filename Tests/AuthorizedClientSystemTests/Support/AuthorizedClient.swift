// SPDX-License-Identifier: Apache-2.0

import APIClient

/// A client whose requests carry a session's tokens: a bridge, or `APIClient` itself, under test.
struct AuthorizedClient: Sendable, CustomStringConvertible {
    /// A body of three bytes, or none.
    enum Body: Sendable {
        case none
        case replayable
        case once

        static let bytes: [UInt8] = [1, 2, 3]
    }

    /// Sends one call, and returns the status of the result as HTTP's code.
    ///
    /// Throws if there is no response.
    typealias Call = @Sendable (_ body: Body) async throws -> Int

    /// The client's name.
    let description: String
    /// Whether the client follows redirects.
    var followsRedirects = true
    /// Whether the client follows redirects to another origin.
    var leavesOrigin = true
    /// Whether a call names its URL, so that the bridge checks it.
    var takesURLs = true
    /// Whether the client sends the proof of possession on to the address that a redirect names, of whatever origin.
    ///
    /// If not, it sends a new proof within the origin, and none to another one.
    var forwardsProofs = false
    /// Whether the client follows a redirect that keeps a request's body.
    ///
    /// If not, the redirect is the result.
    var followsRedirectsWithBody = true
    /// Whether the client sends bodies that can be produced once.
    var hasOneShotBodies = true
    /// Creates a client of one server, by its address, and returns the function that makes calls with it.
    ///
    /// The client ends after that function has been released.
    let connect: @Sendable (_ address: String, _ source: any AccessTokenSource) throws -> Call

    /// Sends one call with a client of its own.
    func send(_ address: String, _ body: Body, _ source: any AccessTokenSource) async throws -> Int {
        let call = try connect(address, source)
        return try await call(body)
    }
}

/// A call as the server received it.
struct ReceivedCall: Sendable {
    /// The values of all `Authorization` fields.
    let authorization: [String]
    /// The values of all `DPoP` fields.
    let proofs: [String]
    /// The path, such as `/job`.
    let path: String
    let body: [UInt8]
}

/// A server's answer.
enum ServerReply: Sendable {
    /// 200.
    case accepted
    /// A refusal with a `WWW-Authenticate` field, if a challenge is given, and a `DPoP-Nonce` field, if a nonce is.
    case refused(Int, challenge: String?, nonce: String? = nil)
    /// A redirect with this status to an address.
    case redirected(Int, to: String)
    /// The connection ends without an answer.
    case lost
    /// There is no answer until the client ends the connection.
    case none
}
