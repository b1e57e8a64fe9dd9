public import AuthSession
public import OpenIDConnect

extension AuthorizationError: PresentableError {
    /// Hidden for `cancelled`, otherwise the error's own description.
    public var presentation: ErrorPresentation { code == .cancelled ? .hidden : .ownSentence }
}

extension DeviceAuthorizationError: PresentableError {
    /// Hidden for `cancelled`, otherwise the error's own description.
    public var presentation: ErrorPresentation { code == .cancelled ? .hidden : .ownSentence }
}

extension DiscoveryError: PresentableError {
    /// Generic for `unreachable`, otherwise the error's own description.
    public var presentation: ErrorPresentation { code == .unreachable ? .generic : .ownSentence }
}
