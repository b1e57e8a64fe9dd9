// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import AuthTesting
import HTTPTypes
import Logging
import SecureStore
import Synchronization

/// One of the app's processes: a session, and tasks that request its tokens.
final class SimulatedProcess: Sendable {
    let life: Life
    let session: AuthSession
    private let world: World
    private let network: Network
    /// The family of the last returned token, if possible of the session's own.
    private let lastFamily = Mutex<Int?>(nil)
    private let ownSignOuts = Mutex<Set<Int>>([])
    private let left: Mutex<Int>

    /// Creates a process.
    ///
    /// - Parameters:
    ///   - world: The schedule's world.
    ///   - delegates: Whether it leaves its refreshes to other processes.
    /// - Throws: No error for these constants.
    init(in world: World, delegates: Bool) throws {
        self.world = world
        left = Mutex(world.plan.tasksEach)
        let life = world.newLife()
        self.life = life
        let clock = world.clock
        network = Network(world: world, life: life)
        var sessionClock = SessionClock(date: { clock.date }, monotonic: clock, suspendingClock: clock)
        sessionClock.bootTime = { clock.bootTime }
        var options = SessionOptions.still
        if delegates {
            options.delegateRefresh = { (refresh) async throws(AuthSessionError) in
                try await RefreshProcess.carryOut(refresh, for: life, in: world)
            }
        }
        session = AuthSession(
            backend: SessionBackend(ResourceAuthority(baseURL: try BaseURL("https://api.example.org"))),
            store: ProcessStore(world: world, life: life),
            transport: network,
            timeout: .seconds(30),
            logger: Logger(label: "simulation", factory: { _ in SwiftLogNoOpLogHandler() }),
            clock: sessionClock,
            options: options,
            lock: .one(SimulatedLock(table: world.locks, life: life, clock: clock)),
            randomFraction: { [random = world.random] in random.fraction() }
        )
    }

    /// The number of tasks that still make calls.
    var tasksLeft: Int { left.withLock { $0 } }

    /// Starts the app: restores the session and starts its tasks.
    func run() {
        Task {
            await session.restore()
            world.note("process \(life.number) has started: \(session.state)")
            for _ in 1..<world.plan.tasksEach { Task { await calls() } }
            await calls()
        }
    }

    private func calls() async {
        // By the API that they are for; nil is the session's own.
        var tokens: [TokenTarget?: AccessToken] = [:]
        while world.isWild, !life.isDead {
            do { try await world.clock.sleep(for: world.random.span(50...25_000)) } catch { break }
            guard world.isWild, !life.isDead else { break }
            let target = drawTarget()
            if let token = await call(for: target, instead: tokens[target]) { tokens[target] = token }
        }
        left.withLock { $0 -= 1 }
    }

    /// Draws the API of a call; nil is the session's own.
    private func drawTarget() -> TokenTarget? {
        let targets = ResourceAuthority.targets
        return world.random.chance(150) ? targets[world.random.below(targets.count)] : nil
    }

    /// Makes one call of the app; its caller sometimes cancels it.
    private func call(for target: TokenTarget?, instead last: AccessToken?) async -> AccessToken? {
        let drawn = world.random.below(100)
        let signedOut = ownSignOuts.withLock { $0 }
        let task = Task { () throws -> AccessToken? in
            if let target {
                guard let last, drawn < 20 else { return try await session.accessToken(for: target) }
                return try await session.credentials(for: target).credential(insteadOf: last).accessToken
            }
            switch drawn {
            case ..<55: return try await session.accessToken()
            case ..<75:
                if let last { return try await session.credential(insteadOf: last).accessToken }
                return try await session.accessToken()
            case ..<85: try await session.refresh()
            case ..<95: await session.validate()
            default: try await session.flush()
            }
            return nil
        }
        if world.random.chance(100) {
            let wait = world.random.span(0...3_000)
            Task {
                // A test clock's sleep ends only by time.
                try? await world.clock.sleep(for: wait)
                task.cancel()
            }
        }
        let result = await task.result
        guard !life.isDead else { return nil }
        switch result {
        case .success(let token):
            note(token, for: target, since: signedOut)
            return token
        case .failure(let error):
            judge(error)
            return nil
        }
    }

    private func note(_ token: AccessToken?, for target: TokenTarget?, since signedOut: Set<Int>) {
        guard let token, let number = SimulatedServer.Number(token.unredacted) else { return }
        // A token for another API may be an earlier one of a session that was replaced meanwhile.
        lastFamily.withLock { if target == nil || $0 == nil { $0 = number.family } }
        world.judge(number, returnedFor: target?.name, by: life)
        if signedOut.contains(number.family) {
            world.history.fault("process \(life.number) returns \(number) of a session that it has signed out of")
        }
    }

    /// Checks that a session is reported as ended only if the server has ended it.
    private func judge(_ error: any Error) {
        guard let error = error as? AuthSessionError else {
            if !(error is CancellationError) { world.history.fault("an unexpected error: \(error)") }
            return
        }
        world.note("process \(life.number) gets the error \(error.code)")
        // A process may have taken over another process's session, and not have returned a token of it yet.
        let families = [lastFamily.withLock { $0 }, world.presented(by: life)].compactMap(\.self)
        guard error.code == .sessionEnded, let family = families.max() else { return }
        if world.server.end(of: family) == nil {
            world.history.fault("process \(life.number) reports the end of session \(family), which has not ended")
        }
    }

    // MARK: Sign-in and sign-out

    func signIn() async throws {
        let ticket = try await session.signInTicket()
        let issued = try await issuedTokens()
        try await session.complete(ticket, with: issued, user: SessionUser(id: "u1"))
        guard !life.isDead, case .success(let number) = await currentToken() else { return }
        lastFamily.withLock { $0 = number.family }
        world.signedIn(to: number.family)
    }

    /// Requests the tokens of a new family.
    private func issuedTokens() async throws -> IssuedTokens {
        let start = session.clock.reading()
        let login = SimulatedServer.login
        let head = HTTPRequest(method: .post, scheme: "https", authority: "api.example.org", path: login)
        let response = try await network.send(TransportRequest(head: head))
        guard let number = SimulatedServer.issued(in: response) else { throw SimulationError("the sign-in failed") }
        let tokens = TokenSet(
            accessToken: try AccessToken("access-\(number)"),
            lifetime: TokenLifetime(expiresIn: SimulatedServer.lifetime, from: start.date),
            refreshToken: try RefreshToken("refresh-\(number)")
        )
        return IssuedTokens(tokens: tokens, requestedAt: start)
    }

    func signOut() async {
        let family = lastFamily.withLock { $0 }
        world.signingOut(of: family)
        let before = await world.storedToken()?.family
        let result = await session.signOut()
        guard !life.isDead else { return }
        world.signOutEnded()
        world.note("process \(life.number) signed out: \(result)")
        // After an error the store may still hold a session: that of the sign-out, or one that it replaced.
        // A family that began meanwhile is another process's sign-in.
        if result.storeError != nil, let kept = await world.storedToken()?.family,
            let newest = [before, family].compactMap(\.self).max(), kept <= newest
        {
            world.signedOut(of: kept, isRemoved: false)
        }
        guard let family else { return }
        world.signedOut(of: family, isRemoved: result.storeError == nil)
        if result.storeError == nil { ownSignOuts.withLock { _ = $0.insert(family) } }
    }

    /// Returns the process's current access token for an API, or the session's own.
    func currentToken(for target: TokenTarget? = nil) async -> Result<SimulatedServer.Number, any Error> {
        do {
            let token =
                if let target { try await session.accessToken(for: target) } else { try await session.accessToken() }
            guard let number = SimulatedServer.Number(token.unredacted) else {
                throw SimulationError("a malformed token")
            }
            return .success(number)
        } catch {
            return .failure(error)
        }
    }
}
