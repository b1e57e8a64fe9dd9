// SPDX-License-Identifier: Apache-2.0

#if Tracing
import APIClient
import AuthCore
import AuthTesting
import InMemoryTracing
import SecureStore
import Testing
import Tracing

@testable import AuthSession

extension SessionOptions {
    fileprivate static func traced(by tracer: InMemoryTracer) -> SessionOptions {
        var options = SessionOptions.still
        options.observers = [SessionTracing(tracer: tracer)]
        return options
    }
}

@Suite struct SessionTracingTests {
    private let tracer = InMemoryTracer()

    private func attribute(_ name: String, of span: FinishedInMemorySpan) -> SpanAttribute? {
        span.attributes.get(name)
    }

    /// Returns the only span of a name.
    private func only(_ name: String) throws -> FinishedInMemorySpan {
        let spans = tracer.finishedSpans.filter { $0.operationName == name }
        #expect(spans.count == 1)
        return try #require(spans.first)
    }

    @Test func `a sign-in is a span that begins with it`() async throws {
        let fixture = try Fixture(options: .traced(by: tracer))
        fixture.backend.on(Backend.login) { [clock = fixture.clock] _ in
            clock.advance(by: .milliseconds(20))
            return Backend.pair(1, user: true)
        }
        try await fixture.signIn()
        let span = try only("sallyport.session.sign_in")
        #expect(attribute("outcome", of: span) == .string("success"))
        #expect(span.attributes.count == 1)
        #expect(span.status == nil)
        let (begin, end) = (span.startInstant.nanosecondsSinceEpoch, span.endInstant.nanosecondsSinceEpoch)
        #expect(end - begin == 20_000_000)
    }

    @Test func `a failed sign-in has the code of its error and no text`() async throws {
        let fixture = try Fixture(options: .traced(by: tracer))
        fixture.backend.on(Backend.login) { _ in Backend.failure(401, code: "invalid_credentials") }
        #expect(await code { try await fixture.signIn() } == .signInRefused)
        let span = try only("sallyport.session.sign_in")
        #expect(attribute("outcome", of: span) == .string("failed"))
        #expect(attribute("error.type", of: span) == .string("signInRefused"))
        #expect(span.status?.code == .error && span.status?.message == nil)
        #expect(span.errors.isEmpty && span.events.isEmpty)
    }

    @Test func `a refresh is one span within that of its first caller, however many join`() async throws {
        let fixture = try await Fixture.signedIn(options: .traced(by: tracer))
        fixture.clock.advance(by: .seconds(900))
        let gate = Gate()
        fixture.backend.on(Backend.pairRefresh) { _ in
            await gate.pass()
            return Backend.pair(2)
        }
        let caller = tracer.startSpan("caller")
        let first = Task {
            try await ServiceContext.withValue(caller.context) { try await fixture.session.accessToken().unredacted }
        }
        await gate.waitForArrival()
        let second = Task { try await fixture.session.accessToken().unredacted }
        await settle()
        gate.open()
        #expect(try await first.value == "access-2")
        #expect(try await second.value == "access-2")
        let span = try only("sallyport.session.refresh")
        #expect(attribute("outcome", of: span) == .string("refreshed"))
        #expect(attribute("joined", of: span) == .int64(1))
        #expect(attribute("replayed", of: span) == .bool(false))
        #expect(span.parentSpanID == caller.spanID)
    }

    @Test func `a replayed refresh says so`() async throws {
        let fixture = try await Fixture.signedIn(options: .traced(by: tracer))
        fixture.backend.on(Backend.pairRefresh) { [backend = fixture.backend] request in
            backend.on(Backend.pairRefresh) { _ in Backend.pair(2) }
            return try await Backend.lost(request)
        }
        try await fixture.session.refresh()
        let span = try only("sallyport.session.refresh")
        #expect(attribute("replayed", of: span) == .bool(true))
    }

    @Test func `a refused refresh is an error`() async throws {
        let fixture = try await Fixture.signedIn(options: .traced(by: tracer))
        fixture.backend.on(Backend.pairRefresh) { _ in Backend.failure(401, code: "invalid_grant") }
        #expect(await code { try await fixture.session.refresh() } == .sessionEnded)
        await settle()
        let span = try only("sallyport.session.refresh")
        #expect(attribute("outcome", of: span) == .string("refused"))
        #expect(attribute("error.type", of: span) == .string("sessionEnded"))
        #expect(span.status?.code == .error)
    }

    @Test func `a sign-out is a span`() async throws {
        let fixture = try await Fixture.signedIn(options: .traced(by: tracer))
        await fixture.session.signOut()
        let span = try only("sallyport.session.sign_out")
        #expect(attribute("outcome", of: span) == .string("revoked"))
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test func `no span holds a value of a user, a token, a server or an error's text`() async throws {
        try await ObservedLife.run(.traced(by: tracer))
        #expect(tracer.finishedSpans.count > 4)
        for span in tracer.finishedSpans {
            #expect(span.errors.isEmpty && span.events.isEmpty && span.links.isEmpty)
            ObservedLife.expectNoSecret(in: span.operationName)
            ObservedLife.expectNoSecret(in: span.status?.message ?? "")
            span.attributes.forEach { name, value in
                ObservedLife.expectNoSecret(in: name)
                ObservedLife.expectNoSecret(in: "\(value)")
            }
        }
    }
}
#endif
