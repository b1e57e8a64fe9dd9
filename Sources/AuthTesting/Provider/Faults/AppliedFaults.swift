// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

/// The pending faults of each endpoint, in order.
struct FaultQueue: Sendable {
    private struct Entry: Sendable {
        let faults: [InProcessProvider.Fault]
        var times: Int
    }

    private var entries: [InProcessProvider.Endpoint: [Entry]] = [:]

    mutating func append(_ faults: [InProcessProvider.Fault], times: Int) {
        guard times > 0 else { return }
        for (endpoint, faults) in Dictionary(grouping: faults, by: \.endpoint) {
            entries[endpoint, default: []].append(Entry(faults: faults, times: times))
        }
    }

    /// Returns the faults of the next request, without removing them.
    func next(at endpoint: InProcessProvider.Endpoint) -> AppliedFaults {
        AppliedFaults(effects: entries[endpoint]?.first?.faults.map(\.effect) ?? [])
    }

    /// Removes faults that have occurred.
    mutating func consume(at endpoint: InProcessProvider.Endpoint) {
        guard var rest = entries[endpoint], let entry = rest.first else { return }
        if entry.times > 1 { rest[0].times -= 1 } else { rest.removeFirst() }
        entries[endpoint] = rest
    }
}

/// The faults of one request.
struct AppliedFaults: Sendable {
    var effects: [InProcessProvider.Fault.Effect] = []

    /// The error code of a request that does not arrive; nil if it arrives.
    var unreachable: TransportError.Code? {
        effects.lazy.compactMap { if case .unreachable(let code) = $0 { code } else { nil } }.first
    }

    /// The response that replaces the provider's; nil if the provider responds.
    var response: EndpointResponse? {
        effects.lazy.compactMap { if case .response(let response) = $0 { response } else { nil } }.first
    }

    /// The error code of a response that does not arrive; nil if it arrives.
    var responseLost: TransportError.Code? {
        effects.lazy.compactMap { if case .responseLost(let code) = $0 { code } else { nil } }.first
    }

    /// The functions to await before the response arrives.
    var delays: [@Sendable () async throws -> Void] {
        effects.compactMap { if case .delayed(let wait) = $0 { wait } else { nil } }
    }

    /// The fault of a JWT's signature; nil if the signature is valid.
    var signature: InProcessProvider.Fault.Signature? {
        effects.lazy.compactMap { if case .signature(let signature) = $0 { signature } else { nil } }.first
    }

    /// Returns the claims with the faulty ones.
    func applied(to claims: [String: JSONValue]) -> [String: JSONValue] {
        var claims = claims
        for case .claim(let name, let value) in effects { claims[name] = value }
        return claims
    }

    /// Returns the response with the faulty members and fields.
    func applied(to response: EndpointResponse) -> EndpointResponse {
        var response = response
        if case .members(var members) = response.content {
            for case .member(let name, let value) in effects { members[name] = value }
            response.content = .members(members)
        }
        for case .field(let name, let value) in effects {
            guard let name = HTTPField.Name(name) else { continue }
            response.fields[name] = value
            if value == nil { response.omittedFields.insert(name) }
        }
        return response
    }

    /// Returns the callback's parameters with the faulty ones.
    func applied(to parameters: Parameters) -> Parameters {
        var parameters = parameters
        for effect in effects {
            switch effect {
            case .parameter(let name, let value):
                let index = parameters.items.firstIndex { $0.name == name } ?? parameters.items.endIndex
                parameters.items.removeAll { $0.name == name }
                if let value { parameters.items.insert((name, value), at: index) }
            case .repeatedParameter(let name, let value):
                parameters.append(name, value ?? parameters[name])
            default:
                continue
            }
        }
        return parameters
    }
}
