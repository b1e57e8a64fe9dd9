// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes
import Testing

#if Metrics
import MetricsTestKit

@Suite struct MetricsInterceptorTests {
    @Test func `a call is recorded once, with its total duration and without secrets`() async throws {
        let metrics = TestMetrics()
        let clock = TestClock()
        let responses = ResponseSequence([CallFixture.unauthorized(), CallFixture.refusal(503), CallFixture.ada])
        let fixture = try CallFixture(
            apiKey: "k1",
            configure: { $0.interceptors = [MetricsInterceptor(factory: metrics, clock: clock)] },
            handler: { _ in
                clock.advance(by: .milliseconds(20))
                return try responses.next()
            }
        )
        let query = [QueryItem(name: "q", value: "secret")]
        _ = try await fixture.get(EndpointOptions(query: query, operationID: "getMe"))
        let timer = try #require(metrics.timers.first)
        #expect(metrics.timers.count == 1)
        #expect(timer.label == "http.client.request.duration")
        #expect(timer.values == [60_000_000])
        #expect(
            Dictionary(uniqueKeysWithValues: timer.dimensions) == [
                "http.request.method": "GET", "server.address": "api.example.com", "operation": "getMe",
                "http.response.status_code": "200",
            ]
        )
    }

    @Test func `the address of a call to another server is not recorded`() async throws {
        let metrics = TestMetrics()
        let fixture = try CallFixture(configure: { $0.interceptors = [MetricsInterceptor(factory: metrics)] }) { _ in
            CallFixture.ada
        }
        let address = try AbsoluteURL("https://x1f3.storage.example.net/file?signature=secret")
        _ = await fixture.failure(of: Endpoint<CallFixture.Person>.get("").at(address))
        let timer = try #require(metrics.timers.first)
        #expect(timer.dimensions.contains { $0 == ("server.address", "elsewhere") })
    }

    @Test func `a call without a response is recorded with only the type of its error`() async throws {
        let metrics = TestMetrics()
        let fixture = try CallFixture(
            configure: { configuration in
                configuration.retries = .never
                configuration.interceptors = [MetricsInterceptor(factory: metrics)]
            },
            handler: { _ in throw TransportError(.connectionRefused, mayHaveReachedServer: false) }
        )
        #expect(await fixture.failure()?.code == .unreachable)
        let timer = try #require(metrics.timers.first)
        #expect(timer.dimensions.contains { $0 == ("error.type", "unreachable") })
        #expect(timer.values.count == 1)
    }
}
#endif

#if Tracing
import InMemoryTracing
import Tracing

@Suite struct TracingInterceptorTests {
    @Test func `a call is a client span whose context is sent with every attempt`() async throws {
        let tracer = InMemoryTracer()
        let responses = ResponseSequence([CallFixture.unauthorized(), CallFixture.ada])
        let fixture = try CallFixture(configure: { $0.interceptors = [TracingInterceptor(tracer: tracer)] }) { _ in
            try responses.next()
        }
        _ = try await fixture.get(EndpointOptions(query: [QueryItem(name: "q", value: "secret")]))
        let span = try #require(tracer.finishedSpans.first)
        #expect(tracer.finishedSpans.count == 1)
        #expect(span.operationName == "GET")
        #expect(span.kind == .client)
        #expect(span.attributes["http.request.method"]?.toSpanAttribute() == .string("GET"))
        #expect(span.attributes["server.address"]?.toSpanAttribute() == .string("api.example.com"))
        #expect(span.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(200))
        #expect(span.attributes.count == 3)
        let field = try #require(HTTPField.Name(InMemoryTracer.traceIDKey))
        #expect(fixture.transport.requests.map { $0.head.headerFields[field] } == [span.traceID, span.traceID])
    }

    @Test func `the span of a failed call records only the type of the error`() async throws {
        let tracer = InMemoryTracer()
        let fixture = try CallFixture(
            configure: { configuration in
                configuration.retries = .never
                configuration.interceptors = [TracingInterceptor(tracer: tracer)]
            },
            handler: { _ in throw TransportError(.connectionRefused, mayHaveReachedServer: false) }
        )
        #expect(await fixture.failure()?.code == .unreachable)
        let span = try #require(tracer.finishedSpans.first)
        #expect(span.status?.code == .error)
        #expect(span.attributes["error.type"]?.toSpanAttribute() == .string("unreachable"))
        #expect(span.errors.isEmpty)
    }
}
#endif
