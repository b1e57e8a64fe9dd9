import Observation

/// Joins a model, a screen and the world: events in, effects out, until the person leaves.
///
/// Nothing is polled: keys, signals and observed changes each wake it.
@MainActor
final class Shell {
    /// Between two steps of a motion.
    private static let stepLength = Duration.milliseconds(150)
    /// After how long who leaves is told why that takes time.
    private static let noticePatience = Duration.seconds(1)

    private(set) var model: ShellModel
    private let screen: any ShellScreen
    private let services: ShellServices
    private let checkInterval: Duration
    private let events: AsyncStream<ShellEvent>
    private let inbox: AsyncStream<ShellEvent>.Continuation
    private var drawing: Drawing?
    private var signIn: Task<Void, Never>?
    private var signOut: Task<Void, Never>?
    private var motion: Task<Void, Never>?

    /// Makes a shell.
    ///
    /// - Parameters:
    ///   - model: What it begins with.
    ///   - screen: Where it shows.
    ///   - services: The world.
    ///   - checkInterval: After how long the server is asked again while the main screen shows.
    init(_ model: ShellModel, on screen: any ShellScreen, services: ShellServices, checkInterval: Duration) {
        self.model = model
        self.screen = screen
        self.services = services
        self.checkInterval = checkInterval
        self.model.glyphs = screen.glyphs
        (events, inbox) = AsyncStream.makeStream(of: ShellEvent.self)
    }

    /// Lives until the person leaves.
    ///
    /// - Returns: The exit code.
    func run() async -> Int32 {
        screen.start { [inbox] event in inbox.yield(event) }
        drawing = screen.show(model)
        observe()
        let restoring = Task { await services.restore() }
        let following = Task { await services.followNetwork() }
        let checking = Task { [inbox, checkInterval] in
            while (try? await Task.sleep(for: checkInterval)) != nil { inbox.yield(.checkDue) }
        }
        let code = await live()
        for task in [restoring, following, checking, signIn, motion] { task?.cancel() }
        screen.end()
        let notice = Task {
            try await Task.sleep(for: Self.noticePatience)
            StandardError.write("One moment: what was begun comes to its end.")
        }
        defer { notice.cancel() }
        guard await services.settle(signOut) else {
            StandardError.write("The sign-out had not come to its end. Start the app again to see whether it held.")
            return max(code, 1)
        }
        return code
    }

    private func live() async -> Int32 {
        for await event in events {
            let before = model
            let effects = take(event)
            for effect in effects {
                if case .quit(let code) = effect { return code }
                perform(effect)
            }
            keepMoving()
            if model != before || Self.isDrawn(event) { drawing = screen.show(model) }
        }
        return 0
    }

    private func take(_ event: ShellEvent) -> [ShellEffect] {
        if case .mouse(let touch) = event, touch.kind == .up {
            return drawing.map { model.release(touch, on: $0) } ?? []
        }
        return model.handle(event)
    }

    /// Whether the screen has changed even where the model has not.
    private static func isDrawn(_ event: ShellEvent) -> Bool {
        switch event {
        case .resize, .key(.redraw), .line: true
        default: false
        }
    }

    private func perform(_ effect: ShellEffect) {
        switch effect {
        case .signIn: beginSignIn()
        case .cancelSignIn: signIn?.cancel()
        case .completeOnboarding: services.completeOnboarding()
        case .signOut: beginSignOut()
        case .retry: retry()
        case .refresh: refresh()
        case .redraw: screen.redraw()
        case .quit: break
        }
    }

    private func beginSignIn() {
        signIn = Task { [inbox, services] in
            await services.signIn { inbox.yield(.address($0)) }
            inbox.yield(.signInEnded)
        }
    }

    private func beginSignOut() {
        signOut = Task { [services, earlier = signOut] in
            await services.signOut()
            await earlier?.value
        }
    }

    private func refresh() {
        Task { [inbox, services] in inbox.yield(.jobs(await services.jobs())) }
    }

    private func retry() {
        Task { [inbox, services] in
            await services.retry()
            // With what is known: what is observed comes later.
            inbox.yield(.retryEnded(services.facts()))
        }
    }

    /// Tells what is known, now and whenever that changes.
    private func observe() {
        let facts = withObservationTracking {
            services.facts()
        } onChange: {
            // Called before the change; the task runs after it.
            Task { @MainActor [weak self] in self?.observe() }
        }
        inbox.yield(.facts(facts))
    }

    /// Begins or ends the motion, which costs nothing while nothing is waited for.
    private func keepMoving() {
        if model.isMoving, screen.isAnimated, motion == nil {
            motion = Task { [inbox] in
                while (try? await Task.sleep(for: Self.stepLength)) != nil { inbox.yield(.tick) }
            }
        } else if !model.isMoving {
            motion?.cancel()
            motion = nil
        }
    }
}
