#if LoopbackRedirect
/// What the browser was sent away for: decides what it shows when it comes back.
package enum CallbackPurpose: Sendable {
    /// To sign a person in.
    case signIn
    /// To sign a person out at the provider.
    case signOut
}
#endif
