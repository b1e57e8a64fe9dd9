// SPDX-License-Identifier: Apache-2.0

public import AuthSession
public import OpenIDConnect

extension AuthorizationError: PresentableError {
    /// Hidden for `cancelled`, generic for a refusal, otherwise the error's own description.
    public var presentation: ErrorPresentation {
        switch code {
        case .cancelled: .hidden
        // The provider's code is for developers.
        case .refused, .pushedAuthorizationFailed: .generic
        default: .ownSentence
        }
    }

    /// The key of the error's sentence; nil if the underlying error wrote it.
    public var messageKey: String? { underlying == nil ? "AuthorizationError.\(code)" : nil }
}

extension DeviceAuthorizationError: PresentableError {
    /// Hidden for `cancelled`, generic for a refusal, otherwise the error's own description.
    public var presentation: ErrorPresentation {
        switch code {
        case .cancelled: .hidden
        case .refused: .generic
        default: .ownSentence
        }
    }

    /// The key of the error's sentence; nil if the underlying error wrote it.
    public var messageKey: String? { underlying == nil ? "DeviceAuthorizationError.\(code)" : nil }
}

extension TokenEndpointError: PresentableError {
    /// Generic: the provider's code and the reason that its response was rejected are for developers.
    public var presentation: ErrorPresentation { .generic }
}

extension ClientAssertionError: PresentableError {
    /// Generic: the client's key is the developer's.
    public var presentation: ErrorPresentation { .generic }
}

extension ClientPolicyError: PresentableError {
    /// Generic: the client's policy is the developer's.
    public var presentation: ErrorPresentation { .generic }
}

extension DiscoveryError: PresentableError {
    /// Generic for `unreachable`, otherwise the error's own description.
    public var presentation: ErrorPresentation { code == .unreachable ? .generic : .ownSentence }

    /// The key of the error's sentence; nil if it names members of the document.
    public var messageKey: String? {
        [.missingMember, .invalidMember].contains(code) ? nil : "DiscoveryError.\(code)"
    }
}

extension MessageCatalog {
    /// The English sentences of a sign-in at a provider by key: the table for a translator, beside `sentences`.
    public static var openIDSentences: [String: String] {
        var sentences: [String: String] = [:]
        for code in AuthorizationError.Code.allCases { add(AuthorizationError(code), to: &sentences) }
        for code in DeviceAuthorizationError.Code.allCases { add(DeviceAuthorizationError(code), to: &sentences) }
        for code in DiscoveryError.Code.allCases { add(DiscoveryError(code), to: &sentences) }
        return sentences
    }
}
