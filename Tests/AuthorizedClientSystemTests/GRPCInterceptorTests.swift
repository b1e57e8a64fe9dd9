// SPDX-License-Identifier: Apache-2.0

#if GRPC
import APIClient
import AuthCore
import AuthSession
import AuthTesting
import GRPCAuthorization
import GRPCCore
import Testing

@testable import AuthSessionTests
@testable import OpenIDSessionTests

/// The interceptor without a server: what it returns to gRPC.
@Suite struct GRPCInterceptorTests {
    private typealias Response = StreamingClientResponse<[UInt8]>

    private static let context = ClientContext(
        descriptor: MethodDescriptor(fullyQualifiedService: "jobs.Jobs", method: "List"),
        remotePeer: "in-process",
        localPeer: "in-process"
    )

    /// Runs one attempt that the server refuses, and returns the refusal.
    private func refusal(
        _ interceptor: AuthorizationInterceptor,
        _ code: RPCError.Code = .unauthenticated,
        challenge: String? = nil,
        pushback: String? = nil
    ) async throws -> RPCError {
        var metadata = Metadata()
        if let pushback { metadata.addString(pushback, forKey: "grpc-retry-pushback-ms") }
        if let challenge { metadata.addString(challenge, forKey: "www-authenticate") }
        let refusal = RPCError(code: code, message: "refused", metadata: metadata)
        let request = StreamingClientRequest<[UInt8]>(producer: { _ in })
        let response = try await interceptor.intercept(request: request, context: Self.context) { request, _ in
            #expect(Array(request.metadata[stringValues: "authorization"]).count == 1)
            return Response(error: refusal)
        }
        guard case .failure(let error) = response.accepted else { throw refusal }
        return error
    }

    private func pushback(_ error: RPCError) -> [String] {
        Array(error.metadata[stringValues: "grpc-retry-pushback-ms"])
    }

    @Test func `a server that rejects every token causes one refresh`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let interceptor = AuthorizationInterceptor(fixture.session, server: try BaseURL("https://api.example.com"))
        #expect(pushback(try await refusal(interceptor)).isEmpty)
        for _ in 0..<3 { #expect(pushback(try await refusal(interceptor)) == ["-1"]) }
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test(arguments: [RPCError.Code.notFound, .permissionDenied, .failedPrecondition])
    func `a failure that is not about the token accepts a new token`(code: RPCError.Code) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let interceptor = AuthorizationInterceptor(fixture.session, server: try BaseURL("https://api.example.com"))
        #expect(pushback(try await refusal(interceptor)).isEmpty)
        #expect(try await refusal(interceptor, code).code == code)
        // The accepted token was revoked meanwhile.
        #expect(pushback(try await refusal(interceptor)).isEmpty)
        #expect(fixture.provider.refreshCount == 2)
    }

    @Test(
        arguments: [
            RPCError.Code.unavailable, .cancelled, .deadlineExceeded, .unknown, .internalError, .unimplemented,
            .resourceExhausted, .invalidArgument,
        ]
    )
    func `a failure that may come before the token is checked accepts none`(code: RPCError.Code) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let interceptor = AuthorizationInterceptor(fixture.session, server: try BaseURL("https://api.example.com"))
        #expect(pushback(try await refusal(interceptor)).isEmpty)
        #expect(try await refusal(interceptor, code).code == code)
        #expect(pushback(try await refusal(interceptor)) == ["-1"])
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test func `a refusal that another token would not change is not retried, and has its cause`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let interceptor = AuthorizationInterceptor(fixture.session, server: try BaseURL("https://api.example.com"))
        let stepUp = try await refusal(
            interceptor,
            challenge: #"Bearer error="insufficient_user_authentication", acr_values="mfa""#
        )
        #expect(pushback(stepUp) == ["-1"])
        #expect((stepUp.cause as? APIError)?.stepUp?.acrValues == ["mfa"])
        let scope = try await refusal(
            interceptor,
            .permissionDenied,
            challenge: #"Bearer error="insufficient_scope", scope="jobs""#
        )
        #expect((scope.cause as? APIError)?.requiredScope == "jobs")
        #expect(try await refusal(interceptor, .notFound).cause == nil)
        #expect(fixture.provider.refreshCount == 0)
    }

    @Test(arguments: [("60000", []), ("-1", ["-1"])] as [(String, [String])])
    func `only a server's wish for no other attempt is kept`(sent: String, kept: [String]) async throws {
        let fixture = try await ProviderFixture.signedIn()
        let interceptor = AuthorizationInterceptor(fixture.session, server: try BaseURL("https://api.example.com"))
        #expect(pushback(try await refusal(interceptor, pushback: sent)) == kept)
        #expect(fixture.provider.refreshCount == 1)
    }

    @Test func `a call that is cancelled during the refresh fails as cancelled`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let interceptor = AuthorizationInterceptor(fixture.session, server: try BaseURL("https://api.example.com"))
        let gate = Gate()
        fixture.provider.inject(.delayResponse(at: .token) { await gate.pass() })
        let call = Task { try await refusal(interceptor) }
        await gate.waitForArrival()
        call.cancel()
        let error = await #expect(throws: RPCError.self) { _ = try await call.value }
        #expect(error?.code == .cancelled)
        gate.open()
        try await fixture.session.flush()
        #expect(fixture.session.state == fixture.signedInState)
    }

    @Test func `a failed refresh is the cause of the refusal, and is not retried`() async throws {
        let fixture = try await ProviderFixture.signedIn()
        let interceptor = AuthorizationInterceptor(fixture.session, server: try BaseURL("https://api.example.com"))
        fixture.provider.endAllSessions()
        let error = try await refusal(interceptor)
        #expect(error.code == .unauthenticated)
        #expect((error.cause as? AuthSessionError)?.code == .sessionEnded)
        #expect(pushback(error) == ["-1"])
    }
}
#endif
