internal import Dispatch

/// Calls back once unless it is cancelled before; nothing of it stays behind then.
struct DeadlineTimer {
    private let source: any DispatchSourceTimer

    init(after duration: Duration, on queue: DispatchQueue, _ fire: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + .nanoseconds(Int(duration / .nanoseconds(1))))
        source.setEventHandler(handler: fire)
        source.activate()
    }

    func cancel() {
        source.cancel()
    }
}
