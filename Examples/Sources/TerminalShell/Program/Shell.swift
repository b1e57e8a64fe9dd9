// SPDX-License-Identifier: Apache-2.0

import Observation

/// The event loop that connects a model, a screen and the services, until the user quits.
///
/// Nothing is polled: keys, signals and observed changes wake it.
@MainActor
final class Shell {
    /// The time between two steps of an animation.
    private static let stepLength = Duration.milliseconds(150)
    /// The time after which a user who quits is told about unfinished work.
    private static let noticeDuration = Duration.seconds(1)

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

    /// Creates a shell.
    ///
    /// - Parameters:
    ///   - model: The initial model.
    ///   - screen: The screen.
    ///   - services: The services.
    ///   - checkInterval: The interval of requests to the server while the main screen shows.
    init(_ model: ShellModel, on screen: any ShellScreen, services: ShellServices, checkInterval: Duration) {
        self.model = model
        self.screen = screen
        self.services = services
        self.checkInterval = checkInterval
        self.model.glyphs = screen.glyphs
        (events, inbox) = AsyncStream.makeStream(of: ShellEvent.self)
    }

    /// Runs until the user quits.
    ///
    /// - Returns: The exit code.
    func run() async -> Int32 {
        screen.start { [inbox] event in inbox.yield(event) }
        drawing = screen.show(model)
        observe()
        let restoring = Task { await services.restore() }
        let registering = Task { await services.registerDevice() }
        let checking = Task { [inbox, checkInterval] in
            while (try? await Task.sleep(for: checkInterval)) != nil { inbox.yield(.checkDue) }
        }
        let code = await live()
        for task in [restoring, registering, checking, signIn, motion] { task?.cancel() }
        screen.end()
        let notice = Task {
            try await Task.sleep(for: Self.noticeDuration)
            StandardError.write("One moment: unfinished work is completing.")
        }
        defer { notice.cancel() }
        guard await services.settle(signOut) else {
            StandardError.write("The sign-out did not finish. Start the app again to check it.")
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

    /// Returns whether an event requires drawing even if the model is unchanged.
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
        case .updateProfile(let entries): Task { [services] in await services.updateProfile(entries) }
        case .retry: retry()
        case .refresh: refresh()
        case .redraw: screen.redraw()
        case .quit: break
        }
    }

    private func beginSignIn() {
        let credentials = model.form.takeCredentials()
        signIn = Task { [inbox, services] in
            if let credentials {
                await services.signInWithPassword(credentials)
            } else {
                await services.signIn { inbox.yield(.address($0)) }
            }
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
            // Passes the current facts, because the observation reports them later.
            inbox.yield(.retryEnded(services.facts()))
        }
    }

    /// Sends the facts, now and after each change.
    private func observe() {
        let facts = withObservationTracking {
            services.facts()
        } onChange: {
            // Called before the change; the task runs after it.
            Task { @MainActor [weak self] in self?.observe() }
        }
        inbox.yield(.facts(facts))
    }

    /// Starts or stops the animation, so that it costs nothing while the user doesn't wait.
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
