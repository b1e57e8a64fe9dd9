// SPDX-License-Identifier: Apache-2.0

import AuthCore
import HTTPTypes
import Logging

/// One call, from its first attempt to its final response.
///
/// One deadline covers all of it. The request is sent again:
/// 1. once with another token, after a 401 to the token that was sent;
/// 2. to the target of a redirect, as often as the policy allows;
/// 3. after a pause, if an error may be transient, as often as the policy and the client's budget allow;
/// 4. once with the server's nonce, if its token is bound to a key and the server's refusal gave a nonce.
/// Each reason has its own count, so that no reason uses up another's attempts, and so that the call ends.
struct Call: Sendable {
    /// A function that sends one request and asks for the next step after its response.
    typealias Exchange<Value: Sendable> =
        @Sendable (TransportRequest, @Sendable (HTTPResponse) -> FollowUp) async throws -> AttemptResult<Value>

    let context: ClientContext
    let policy: CallPolicy
    let deadline: Deadline
    private var outgoing: OutgoingRequest
    private var authorizer: RequestAuthorizer
    private var redirects = 0
    private var retries = 0
    /// The attempts before the last one.
    private(set) var attempts: [APIError.Attempt] = []

    init(_ outgoing: OutgoingRequest, context: ClientContext, policy: CallPolicy, deadline: Deadline) {
        self.outgoing = outgoing
        self.context = context
        self.policy = policy
        self.deadline = deadline
        authorizer = RequestAuthorizer(
            withoutOriginCheck: policy.requiresToken ? context.source : nil,
            refreshesWithoutBearerChallenge: policy.refreshesWithoutBearerChallenge
        )
    }

    /// Sends until there is a final response.
    ///
    /// - Parameter exchange: The function that sends one request. It asks for the next step before it reads the body,
    ///   so that only a final response's body is read.
    /// - Returns: The value of the last exchange.
    /// - Throws: ``APIError`` (`timedOut`; `proofUnavailable`; the code for a ``TransportError``, usually
    ///   `unreachable`); the token source's error; an error of `exchange`; `CancellationError`.
    mutating func run<Value: Sendable>(
        _ exchange: Exchange<Value>
    ) async throws -> Value {
        while true {
            let request = try await nextRequest()
            try Task.checkCancellation()
            let result: Result<AttemptResult<Value>, TransportError> = try await attempt(request, exchange)
            switch result {
            case .success(.ended(let value)):
                return value
            case .success(.again(let step, let status)):
                try await take(step, status: status)
            case .failure(let fault):
                guard let step = retry(after: fault) else {
                    throw APIError(fault, attempts: attempts)
                }
                try await take(step, fault: fault.code)
            }
        }
    }

    /// Returns the request of the next attempt, with its credentials.
    private mutating func nextRequest() async throws -> TransportRequest {
        var head = outgoing.head
        if outgoing.carriesCredentials {
            guard authorizer.allows(outgoing.address) else { throw APIError(.originNotAllowed, attempts: attempts) }
            if let need = authorizer.tokenNeed {
                authorizer.receive(try await waiting { try await need.credential() })
            }
            do {
                // Never a second `Authorization`: if the caller sets the field, the call requests no token.
                head.headerFields = try authorizer.attach(to: head.headerFields, of: head.method, outgoing.address)
            } catch var error as APIError {
                error.attempts = attempts
                throw error
            }
            if let apiKey = context.apiKey { head.headerFields[.apiKey] = apiKey.unredacted }
        }
        if !outgoing.carriesCredentials || !policy.readsChallenges { authorizer.detach() }
        let remaining = deadline.remaining
        guard remaining > .zero else { throw APIError(.timedOut, attempts: attempts) }
        return TransportRequest(head: head, body: outgoing.body, timeout: remaining)
    }

    private func attempt<Value: Sendable>(
        _ request: TransportRequest,
        _ exchange: Exchange<Value>
    ) async throws -> Result<AttemptResult<Value>, TransportError> {
        do {
            let exchanged = try await exchange(request) { head in
                context.logger.debug("\(outgoing.loggedName): \(head.status.code)")
                return hidingSecrets(in: step(after: head), head)
            }
            return .success(exchanged)
        } catch let fault as TransportError {
            context.logger.debug("\(outgoing.loggedName): no response (\(fault.code))")
            return .failure(fault)
        }
    }

    /// Adds to a failed final response the secrets that its error must not repeat.
    private func hidingSecrets(in step: FollowUp, _ head: HTTPResponse) -> FollowUp {
        guard case .finish(var outcome) = step, head.status.kind != .successful else { return step }
        let fields = outgoing.headers.filter { policy.sensitiveHeaderFields.contains($0.name) }.map { field in
            // The scheme in front is not secret, and the response may contain the same word.
            let parts = field.value.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
            let hasScheme = field.name == .authorization || field.name == .proxyAuthorization
            return hasScheme && parts.count == 2 ? String(Substring(parts[1])) : field.value
        }
        outcome.secrets =
            policy.secrets + fields + authorizer.secrets + [context.apiKey?.unredacted].compactMap(\.self)
        return .finish(outcome)
    }

    /// Returns the step after a response.
    private func step(after head: HTTPResponse) -> FollowUp {
        let status = head.status
        let verdict = authorizer.judge(head)
        if status.kind == .successful {
            context.budget.refund()
            return .finish(FinalOutcome())
        }
        if Redirect.isRedirect(head) { return redirect(by: head) }
        if HTTPFailure.isRetriedWithinCall(status: status.code) {
            let asked = RetryAfter.duration(in: head.headerFields, now: context.now())
            return isRepeatable ? retry(retryAfter: asked) ?? .finish(FinalOutcome()) : .finish(FinalOutcome())
        }
        // Any status but 5xx shows that the server works.
        if status.kind != .serverError { context.budget.refund() }
        switch verdict {
        case .final: return .finish(FinalOutcome())
        case .insufficientScope(let scope): return .finish(FinalOutcome(code: .insufficientScope, scope: scope))
        case .stepUpRequired(let stepUp): return .finish(FinalOutcome(code: .stepUpRequired, stepUp: stepUp))
        case .nonceUnavailable: return .finish(FinalOutcome(code: .dpopNonceRequired))
        case .reauthenticate, .renewProof:
            return outgoing.body.isReplayable
                ? .authorizeAgain(verdict) : .finish(FinalOutcome(code: .bodyNotRepeatable))
        }
    }

    private func redirect(by head: HTTPResponse) -> FollowUp {
        do {
            return .redirect(
                try Redirect.next(
                    from: outgoing,
                    by: head,
                    policy: policy.redirects,
                    followed: redirects,
                    sensitiveHeaderFields: policy.sensitiveHeaderFields
                )
            )
        } catch {
            return .finish(FinalOutcome(code: error.code))
        }
    }

    /// Whether the request may be repeated even if the server has received it.
    private var isRepeatable: Bool { RetryRules.isIdempotent(outgoing.method, outgoing.headers) }

    private func retry(after fault: TransportError) -> FollowUp? {
        guard RetryRules.isRetryable(fault), !fault.mayHaveReachedServer || isRepeatable else { return nil }
        return retry(retryAfter: nil)
    }

    /// Returns a retry, or nil if the policy, the body, the deadline or the budget does not allow one.
    private func retry(retryAfter: Duration?) -> FollowUp? {
        guard retries < policy.retries.maximumRetries, outgoing.body.isReplayable,
            let pause = policy.retries.pause(before: retries, retryAfter: retryAfter, chance: context.random()),
            pause < deadline.remaining, context.budget.take()
        else { return nil }
        return .retry(after: pause)
    }

    private mutating func take(_ step: FollowUp, status: Int? = nil, fault: TransportError.Code? = nil) async throws {
        switch step {
        case .finish: break
        case .authorizeAgain(let verdict):
            attempts.append(APIError.Attempt(verdict == .renewProof ? .dpopNonce : .reauthenticated, status: status))
            context.logger.debug("401 response, requesting another \(verdict == .renewProof ? "proof" : "token")")
            authorizer.accept(verdict)
        case .redirect(let next):
            attempts.append(APIError.Attempt(.redirect, status: status))
            redirects += 1
            outgoing = next
        case .retry(let pause):
            attempts.append(APIError.Attempt(.retry, status: status, transportError: fault, pause: pause))
            retries += 1
            try await context.clock.sleep(until: context.clock.now + pause)
        }
    }

    private func waiting(
        _ operation: @escaping @Sendable () async throws -> AccessCredential
    ) async throws -> AccessCredential {
        do {
            return try await deadline.limit(throwing: APIError(.timedOut), operation)
        } catch var error as APIError where error.code == .timedOut {
            error.attempts = attempts
            throw error
        }
    }
}

/// The settings of one call: the endpoint's, or else the client's.
struct CallPolicy: Sendable {
    /// Whether an access token is requested and sent.
    let requiresToken: Bool
    /// Whether a 401 or 403 challenge is interpreted.
    ///
    /// False for calls that don't use an access token.
    let readsChallenges: Bool
    let retries: RetryPolicy
    let redirects: RedirectPolicy
    let refreshesWithoutBearerChallenge: Bool
    let sensitiveHeaderFields: Set<HTTPField.Name>
    /// The secrets in the body, which no error may repeat.
    let secrets: [String]
}
