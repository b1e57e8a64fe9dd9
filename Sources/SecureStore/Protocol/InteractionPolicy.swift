// SPDX-License-Identifier: Apache-2.0

/// The policy for prompts: whether a call may ask the user to unlock the store.
public enum InteractionPolicy: Sendable, Hashable {
    /// No prompt is shown and no store is unlocked.
    ///
    /// A call to a locked store throws `locked`.
    case never
    /// A prompt may be shown, and the call waits for it until the given time.
    ///
    /// For a call that the user has just asked for, and no other. Concurrent callers share one prompt.
    case allowed(until: ContinuousClock.Instant)
}
