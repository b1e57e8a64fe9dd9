/// Whether a call may ask the person to unlock the store.
public enum InteractionPolicy: Sendable, Hashable {
    /// No prompt and no unlocking.
    ///
    /// A locked store is the error `locked`.
    case never
    /// A prompt may be shown, and is waited for until then.
    ///
    /// For the call that a person has just asked for, and for no other. Callers at the same time share one prompt.
    case allowed(until: ContinuousClock.Instant)
}
