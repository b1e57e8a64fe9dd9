// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The input of an endpoint: the request, its date, and its faults.
struct Exchange: Sendable {
    let request: ProviderRequest
    /// The date by the provider's clock.
    let date: Date
    let faults: AppliedFaults
}

/// The result of a request, with the functions that delay it.
struct Delivery: Sendable {
    let result: Result<TransportResponse, TransportError>
    var delays: [@Sendable () async throws -> Void] = []

    static func failure(_ code: TransportError.Code, mayHaveReachedServer: Bool) -> Delivery {
        Delivery(result: .failure(TransportError(code, mayHaveReachedServer: mayHaveReachedServer)))
    }
}

extension ProviderState {
    /// Responds to one request, or loses it.
    mutating func exchange(_ request: ProviderRequest, at date: Date) -> Delivery {
        guard request.origin == address.origin else {
            record(request, nil, .unreachable)
            return .failure(.hostNotFound, mayHaveReachedServer: false)
        }
        let date = date.adding(clockOffset)
        guard let endpoint = address.endpoint(at: request.path) else {
            record(request, nil, .responded(404))
            return Delivery(result: .success(EndpointResponse(status: 404).response(at: date)))
        }
        let faults = faults.next(at: endpoint)
        if let code = faults.unreachable {
            self.faults.consume(at: endpoint)
            record(request, endpoint, .unreachable)
            return .failure(code, mayHaveReachedServer: false)
        }
        var reply: EndpointResponse
        if let standIn = faults.response {
            reply = redirected(standIn, request, endpoint)
            self.faults.consume(at: endpoint)
        } else {
            reply = self.response(Exchange(request: request, date: date, faults: faults), at: endpoint)
            if faults.responseLost != nil || !faults.delays.isEmpty || reply.status < 400 {
                reply = faults.applied(to: reply)
                self.faults.consume(at: endpoint)
            }
        }
        if let code = faults.responseLost {
            record(request, endpoint, .responseLost(reply.status))
            return .failure(code, mayHaveReachedServer: true)
        }
        record(request, endpoint, .responded(reply.status))
        return Delivery(result: .success(reply.response(at: date)), delays: faults.delays)
    }

    private mutating func record(
        _ request: ProviderRequest,
        _ endpoint: Endpoint?,
        _ outcome: InProcessProvider.Request.Outcome
    ) {
        requests.append(InProcessProvider.Request(request, at: endpoint, outcome: outcome))
    }

    private mutating func response(_ exchange: Exchange, at endpoint: Endpoint) -> EndpointResponse {
        do throws(EndpointError) {
            switch endpoint {
            case .discovery: return discovery(exchange)
            case .jwks: return jwks(exchange)
            case .authorization: return authorization(exchange)
            case .token: return withNonce(try token(exchange))
            case .userInfo: return withNonce(try userInfo(exchange))
            case .revocation: return try revocation(exchange)
            case .endSession: return endSession(exchange)
            case .deviceAuthorization: return try deviceAuthorization(exchange)
            case .pushedAuthorizationRequest: return withNonce(try pushedAuthorizationRequest(exchange))
            case .registration: return try registration(exchange)
            case .api: return withNonce(try api(exchange))
            }
        } catch {
            return withNonce(error.response)
        }
    }
}
