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
        @Sendable (TransportRequest, @Sendable (HTTPResponse) -> Step) async throws -> Exchanged<Value>

    let tools: CallTools
    let rules: CallRules
    let deadline: Deadline
    private var hop: Hop
    private var credential: AccessCredential?
    /// The rejected token, after which another one was sent.
    private var rejected: AccessToken?
    private var hasAskedForOtherToken = false
    private var hasGivenNonce = false
    private var redirects = 0
    private var retries = 0
    /// The attempts before the last one.
    private(set) var attempts: [Attempt] = []

    init(_ hop: Hop, tools: CallTools, rules: CallRules, deadline: Deadline) {
        self.hop = hop
        self.tools = tools
        self.rules = rules
        self.deadline = deadline
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
        if rules.requiresToken, let source = tools.source {
            if let fresh = source.freshCredential {
                credential = fresh
            } else {
                credential = try await waiting { try await source.credential() }
            }
        }
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
        let carried = credential?.binding?.proofs.nonce(for: hop.address.origin)
        let request = hop.request(
            credential: credential,
            proof: try proofField(),
            apiKey: tools.apiKey,
            timeout: remaining
        )
        do {
            let exchanged = try await exchange(request) { head in
                tools.logger.debug("\(hop.loggedName): \(head.status.code)")
                return hidingSecrets(in: step(after: head, carrying: carried), head)
            }
            return .success(exchanged)
        } catch let fault as TransportError {
            tools.logger.debug("\(hop.loggedName): no response (\(fault.code))")
            return .failure(fault)
        }
    }

    /// Adds to a failed final response the secrets that its error must not repeat.
    private func hidingSecrets(in step: Step, _ head: HTTPResponse) -> Step {
        guard case .finish(var ending) = step, head.status.kind != .successful else { return step }
        let fields = hop.headers.filter { rules.credentialFields.contains($0.name) }.map { field in
            // The scheme in front is not secret, and the response may contain the same word.
            let parts = field.value.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
            let hasScheme = field.name == .authorization || field.name == .proxyAuthorization
            return hasScheme && parts.count == 2 ? String(Substring(parts[1])) : field.value
        }
        ending.secrets =
            rules.secrets + fields + [credential?.accessToken, rejected].compactMap { $0?.unredacted }
            + [tools.apiKey?.unredacted].compactMap(\.self)
        return .finish(ending)
    }

    /// Throws if the token is bound to a key and there is no key to prove possession of.
    ///
    /// RFC 9449, 7.1: if a server accepts a bound token without a proof, anyone can use it.
    private func requireProof() throws {
        guard let credential, credential.accessToken.isBound, credential.binding == nil else { return }
        throw APIError(.proofUnavailable, attempts: attempts)
    }

    /// Creates the proof for this attempt, or returns nil if the token is not bound or credentials don't go along.
    private func proofField() throws -> HTTPField? {
        guard let credential, let (key, proofs) = credential.binding, hop.carriesCredentials else { return nil }
        return try proofs.field(
            by: key,
            method: hop.method.rawValue,
            origin: hop.address.origin,
            path: String(hop.address.target.prefix { $0 != "?" }),
            token: credential.accessToken
        )
    }

    /// Returns the next step.
    ///
    /// - Parameters:
    ///   - head: The response.
    ///   - nonce: The nonce in the proof that was sent.
    /// - Returns: The step.
    private func step(after head: HTTPResponse, carrying nonce: String?) -> Step {
        let status = head.status
        let proofs = hop.carriesCredentials ? credential?.binding?.proofs : nil
        let given = proofs?.noteNonce(in: head.headerFields, from: hop.address.origin)
        // Compared with the nonce in this proof: a nonce that other calls have learnt meanwhile does not count.
        let isOtherNonce = given != nil && given != nonce
        if status.kind == .successful {
            tools.budget.giveBack()
            return .finish(Ending())
        }
        if Redirect.isOne(head) { return redirect(by: head) }
        if HTTPFailure.isRetriedAtOnce(status: status.code) {
            let asked = RetryAfter.duration(in: head.headerFields, now: tools.now())
            return isRepeatable ? retry(retryAfter: asked) ?? .finish(Ending()) : .finish(Ending())
        }
        // Any status but 5xx shows that the server works.
        if status.kind != .serverError { tools.budget.giveBack() }
        guard rules.readsChallenges, hop.carriesCredentials else { return .finish(Ending()) }
        switch ChallengeVerdict(head, refreshesWithoutBearerChallenge: rules.refreshesWithoutBearerChallenge) {
        case .none: return .finish(Ending())
        case .insufficientScope(let scope): return .finish(Ending(code: .insufficientScope, scope: scope))
        case .nonceRequired:
            guard isOtherNonce, !hasGivenNonce else { return .finish(Ending(code: .dpopNonceRequired)) }
            return hop.body.canBeSentAgain ? .otherProof : .finish(Ending(code: .bodyNotRepeatable))
        case .otherToken:
            // Without the client's own token in the request, the response is about another token or no token.
            guard let token = credential?.accessToken, !hasAskedForOtherToken else { return .finish(Ending()) }
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

    /// Whether the request may be repeated even if the server has received it.
    private var isRepeatable: Bool { RetryRules.isIdempotent(hop.method, hop.headers) }

    private func retry(after fault: TransportError) -> Step? {
        guard RetryRules.isPassing(fault), !fault.mayHaveReachedServer || isRepeatable else { return nil }
        return retry(retryAfter: nil)
    }

    /// Returns a retry, or nil if the policy, the body, the deadline or the budget does not allow one.
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
            tools.logger.debug("401 response, requesting another token")
            credential = try await waiting { try await source.credential(insteadOf: rejected) }
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
struct CallRules: Sendable {
    /// Whether an access token is requested and sent.
    let requiresToken: Bool
    /// Whether a 401 or 403 challenge is interpreted.
    ///
    /// False for calls that don't use an access token.
    let readsChallenges: Bool
    let retries: RetryPolicy
    let redirects: RedirectPolicy
    let refreshesWithoutBearerChallenge: Bool
    let credentialFields: Set<HTTPField.Name>
    /// The secrets in the body, which no error may repeat.
    let secrets: [String]
}
