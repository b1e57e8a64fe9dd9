/// Keeps the system from suspending the app while a refresh is under way.
///
/// An app that is suspended between sending a refresh and storing its answer comes back with the answer lost. A phone's
/// system gives who asks for it some seconds more; a shell passes one that asks.
public protocol BackgroundActivity: Sendable {
    /// Runs work that is to be ended before the app is suspended.
    ///
    /// - Parameters:
    ///   - reason: What for, for the system's log; holds no secret.
    ///   - work: The work. To be run once, whether or not the system grants the time.
    func perform(_ reason: String, _ work: () async -> Void) async
}

/// For systems that suspend nobody.
struct NoBackgroundActivity: BackgroundActivity {
    func perform(_ reason: String, _ work: () async -> Void) async {
        await work()
    }
}
