// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthTesting
import HTTPTypes

extension TransportConformance {
    /// The time to wait for a promised event, which is long because machines are busy.
    static let timeout = Duration.seconds(60)

    static func request(
        _ authority: String,
        _ path: String = "/",
        method: HTTPRequest.Method = .get,
        fields: HTTPFields = [:],
        body: [UInt8]? = nil,
        timeout: Duration = timeout,
        maximumResponseSize: Int = 16 * 1_024 * 1_024
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: method, scheme: "http", authority: authority, path: path, headerFields: fields),
            body: body,
            timeout: timeout,
            maximumResponseSize: maximumResponseSize
        )
    }

    static func expect(_ holds: Bool, _ failure: @autoclosure () -> String) throws {
        guard holds else { throw ConformanceFailure(failure()) }
    }

    /// Returns the error of a request that must fail.
    static func fault(
        _ transport: any Transport,
        _ request: TransportRequest,
        _ context: String
    ) async throws -> TransportError {
        do {
            let response = try await transport.send(request)
            throw ConformanceFailure("\(context) got a response: \(response)")
        } catch let fault as TransportError {
            return fault
        }
    }

    /// Checks that a request fails with one of these codes.
    static func expectError(
        _ codes: [TransportError.Code],
        reached: Bool? = nil,
        _ transport: any Transport,
        _ request: TransportRequest,
        _ context: String
    ) async throws {
        let fault = try await fault(transport, request, context)
        try expect(codes.contains(fault.code), "\(context) is \(fault.code), not \(codes)")
        guard let reached else { return }
        try expect(
            fault.mayHaveReachedServer == reached,
            "the error says that \(context) \(fault.mayHaveReachedServer ? "may" : "can't") have reached the server"
        )
    }

    static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    static func name(_ name: String) throws -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { throw ConformanceFailure("\(name) is not a field name") }
        return name
    }
}
