import AuthCore
import HTTPTypes
import Logging

/// One call, from its first sending to its final answer: the way of a request.
///
/// One deadline covers all of it. Sent again is
/// 1. once with another token, after a 401 to the token that was sent;
/// 2. where a redirect leads, as often as the policy says;
/// 3. after a pause, when a fault may pass, as often as the policy and the client's budget say.
/// 4. once with the server's nonce, where its token is bound to a key and the server gave one with its refusal.
/// Each is counted by itself, so that none uses up another one's chances, and so that the whole ends.
struct Call: Sendable {
    /// Sends one request and asks what comes after its answer.
    typealias Exchange<Value: Sendable> =
        @Sendable (TransportRequest, @Sendable (HTTPResponse) -> Step) async throws -> Exchanged<Value>

    let tools: CallTools
    let rules: CallRules
    let deadline: Deadline
    private var hop: Hop
    private var bearer: BearerCredential?
    /// The token that another one was sent in place of.
    private var rejected: AccessToken?
    private var hasAskedForOtherToken = false
    private var hasGivenNonce = false
    private var proof: ProofOfPossession?
    private var redirects = 0
    private var retries = 0
    /// The sendings before the last one.
    private(set) var attempts: [Attempt] = []

    init(_ hop: Hop, tools: CallTools, rules: CallRules, deadline: Deadline) {
        self.hop = hop
        self.tools = tools
        self.rules = rules
        self.deadline = deadline
    }

    /// Sends until there is an answer to return.
    ///
    /// - Parameter exchange: Sends one request and asks what comes after its answer. It asks before the answer's body is
    ///   read, so that only a final one is.
    /// - Returns: What the last exchange ended with.
    /// - Throws: ``APIError`` (`timedOut`; what a ``TransportError`` means, `unreachable` as a rule); the token source's
    ///   error; what `exchange` throws; `CancellationError`.
    mutating func run<Value: Sendable>(
        _ exchange: Exchange<Value>
    ) async throws -> Value {
        if rules.requiresToken, let source = tools.source {
            if let fresh = tools.freshSource?.freshBearer {
                bearer = fresh
            } else {
                bearer = BearerCredential(try await waiting { try await source.accessToken() })
            }
        }
        proof = bearer == nil ? nil : tools.boundSource?.proofOfPossession
        try requireProof()
        while true {
            try Task.checkCancellation()
            let result: Result<Exchanged<Value>, TransportError> = try await attempt(exchange)
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

    private func attempt<Value: Sendable>(
        _ exchange: Exchange<Value>
    ) async throws -> Result<Exchanged<Value>, TransportError> {
        let remaining = deadline.remaining
        guard remaining > .zero else { throw APIError(.timedOut, attempts: attempts) }
        let carried = proof?.nonce(hop.address.origin)
        let request = hop.request(bearer: bearer, proof: try proofField(), apiKey: tools.apiKey, timeout: remaining)
        do {
            let exchanged = try await exchange(request) { head in
                tools.logger.debug("\(hop.loggedName): \(head.status.code)")
                return hidingSecrets(in: step(after: head, carrying: carried), head)
            }
            return .success(exchanged)
        } catch let fault as TransportError {
            tools.logger.debug("\(hop.loggedName): no answer (\(fault.code))")
            return .failure(fault)
        }
    }

    /// Notes with a final answer that is a failure what its error must not repeat.
    private func hidingSecrets(in step: Step, _ head: HTTPResponse) -> Step {
        guard case .finish(var ending) = step, head.status.kind != .successful else { return step }
        let fields = hop.headers.filter { rules.credentialFields.contains($0.name) }.map { field in
            // The scheme in front is no secret, and may be a word of the response.
            let parts = field.value.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
            let hasScheme = field.name == .authorization || field.name == .proxyAuthorization
            return hasScheme && parts.count == 2 ? String(Substring(parts[1])) : field.value
        }
        ending.secrets =
            rules.secrets + fields + [bearer?.token, rejected].compactMap { $0?.unredacted }
            + [tools.apiKey?.unredacted].compactMap(\.self)
        return .finish(ending)
    }

    /// RFC 9449, 7.1: sent by itself, a bound token would be one that anybody can use, where a server lets it pass.
    private func requireProof() throws {
        guard let bearer, bearer.token.isBound, proof == nil else { return }
        throw APIError(.proofUnavailable, attempts: attempts)
    }

    /// A proof for this very sending; where credentials don't go, none goes.
    private func proofField() throws -> HTTPField? {
        guard let proof, let token = bearer?.token, hop.carriesCredentials else { return nil }
        let path = String(hop.address.target.prefix { $0 != "?" })
        return try proof.field(hop.method.rawValue, hop.address.origin, path, token)
    }

    /// What comes next.
    ///
    /// - Parameters:
    ///   - head: The answer.
    ///   - nonce: What the proof carried that it answers.
    /// - Returns: The step.
    private func step(after head: HTTPResponse, carrying nonce: String?) -> Step {
        let status = head.status
        let given = hop.carriesCredentials ? proof?.noteNonce(head.headerFields, hop.address.origin) : nil
        // Another one than this very proof carried: what others learnt meanwhile does not count.
        let isOtherNonce = given != nil && given != nonce
        if status.kind == .successful {
            tools.budget.giveBack()
            return .finish(Ending())
        }
        if Redirect.isOne(head) { return redirect(by: head) }
        if RetryRules.isPassing(status) {
            let asked = RetryAfter.duration(in: head.headerFields, now: tools.now())
            return isRepeatable ? retry(retryAfter: asked) ?? .finish(Ending()) : .finish(Ending())
        }
        // A server that answers is well.
        if status.kind != .serverError { tools.budget.giveBack() }
        guard rules.readsChallenges, hop.carriesCredentials else { return .finish(Ending()) }
        switch ChallengeVerdict(head, refreshesWithoutBearerChallenge: rules.refreshesWithoutBearerChallenge) {
        case .none: return .finish(Ending())
        case .insufficientScope(let scope): return .finish(Ending(code: .insufficientScope, scope: scope))
        case .nonceRequired:
            guard isOtherNonce, !hasGivenNonce else { return .finish(Ending(code: .dpopNonceRequired)) }
            return hop.body.canBeSentAgain ? .otherProof : .finish(Ending(code: .bodyNotRepeatable))
        case .otherToken:
            // Without a token of ours in the request the answer is about somebody else's, or about none.
            guard let token = bearer?.token, !hasAskedForOtherToken else { return .finish(Ending()) }
            guard hop.body.canBeSentAgain else { return .finish(Ending(code: .bodyNotRepeatable)) }
            return .otherToken(insteadOf: token)
        }
    }

    private func redirect(by head: HTTPResponse) -> Step {
        do {
            return .redirect(
                try Redirect.next(
                    from: hop,
                    by: head,
                    policy: rules.redirects,
                    followed: redirects,
                    credentialFields: rules.credentialFields
                )
            )
        } catch {
            return .finish(Ending(code: error.code))
        }
    }

    /// Whether the server may have got the request and may still get it again.
    private var isRepeatable: Bool { RetryRules.isIdempotent(hop.method, hop.headers) }

    private func retry(after fault: TransportError) -> Step? {
        guard RetryRules.isPassing(fault), !fault.mayHaveReachedServer || isRepeatable else { return nil }
        return retry(retryAfter: nil)
    }

    /// A pause that ends after the call's time is not begun.
    private func retry(retryAfter: Duration?) -> Step? {
        guard retries < rules.retries.maximumRetries, hop.body.canBeSentAgain,
            let pause = rules.retries.pause(before: retries, retryAfter: retryAfter, chance: tools.random()),
            pause < deadline.remaining, tools.budget.take()
        else { return nil }
        return .retry(after: pause)
    }

    private mutating func take(_ step: Step, status: Int? = nil, fault: TransportError.Code? = nil) async throws {
        switch step {
        case .finish: break
        case .otherToken(let rejected):
            attempts.append(Attempt(.otherToken, status: status))
            hasAskedForOtherToken = true
            self.rejected = rejected
            guard let source = tools.source else { return }
            tools.logger.debug("answered 401, asking for another token")
            bearer = BearerCredential(try await waiting { try await source.accessToken(insteadOf: rejected) })
            proof = tools.boundSource?.proofOfPossession
            try requireProof()
        case .otherProof:
            attempts.append(Attempt(.otherProof, status: status))
            hasGivenNonce = true
        case .redirect(let next):
            attempts.append(Attempt(.redirect, status: status))
            redirects += 1
            hop = next
        case .retry(let pause):
            attempts.append(Attempt(.retry, status: status, fault: fault, pause: pause))
            retries += 1
            try await tools.clock.sleep(until: tools.clock.now + pause)
        }
    }

    private func waiting(_ operation: @escaping @Sendable () async throws -> AccessToken) async throws -> AccessToken {
        do {
            return try await deadline.limit(throwing: APIError(.timedOut), operation)
        } catch var error as APIError where error.code == .timedOut {
            error.attempts = attempts
            throw error
        }
    }
}
