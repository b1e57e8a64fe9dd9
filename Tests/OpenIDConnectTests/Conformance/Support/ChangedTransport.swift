// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthTesting
import HTTPTypes

@testable import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A provider whose requests or responses are changed in transit, for faults that it can't inject itself.
struct ChangedTransport: Transport {
    let base: InProcessProvider
    var changeRequest: @Sendable (inout TransportRequest) async throws -> Void = { _ in }
    var changeResponse: @Sendable (TransportRequest, inout TransportResponse) async throws -> Void = { _, _ in }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        try await changeRequest(&request)
        var answer = try await base.send(request)
        try await changeResponse(request, &answer)
        return answer
    }
}

extension TransportRequest {
    /// The path without the query.
    var path: String { String((head.path ?? "").prefix { $0 != "?" }) }

    /// Changes the fields of a form.
    mutating func changeForm(_ change: ([(String, String)]) -> [(String, String)]) {
        let form = FormEncoding.decode(String(decoding: body ?? [], as: UTF8.self)) ?? []
        body = Array(FormEncoding.encode(change(form)).utf8)
    }
}

extension TransportResponse {
    /// Changes the members of a JSON object; any other body stays.
    mutating func changeMembers(_ change: (inout [String: JSONValue]) throws -> Void) throws {
        guard var members = try? JSONValue.object(in: body) else { return }
        try change(&members)
        body = Array(try JSONEncoder().encode(members))
    }
}
