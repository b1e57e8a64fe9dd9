// SPDX-License-Identifier: Apache-2.0

public import APIClient
public import SecureStore

/// An error that says how a user interface presents it.
///
/// Sign-in methods that the interface doesn't know conform their errors to it.
public protocol PresentableError: Error {
    /// The presentation of the error in a user interface.
    var presentation: ErrorPresentation { get }

    /// The key of the error's sentence in a ``MessageCatalog``; nil if the sentence can't be translated.
    ///
    /// Nil unless the type says otherwise.
    var messageKey: String? { get }
}

extension PresentableError {
    /// No key: the sentence is shown as it is.
    public var messageKey: String? { nil }
}

extension APIError: PresentableError {
    /// Generic: the error's own sentence is for developers.
    ///
    /// But a ``MessageCatalog`` has sentences for the server's codes `invalid_credentials`, `rate_limited` and
    /// `role_conflict`.
    public var presentation: ErrorPresentation { .generic }
}

extension SecureStoreError: PresentableError {
    /// The error's own sentence.
    public var presentation: ErrorPresentation { .ownSentence }

    /// The key of the error's sentence.
    public var messageKey: String? { "SecureStoreError.\(code)" }
}

extension SessionRecordError: PresentableError {
    /// The error's own sentence.
    public var presentation: ErrorPresentation { .ownSentence }

    /// The key of the error's sentence.
    public var messageKey: String? { "SessionRecordError.\(code)" }
}

/// The presentation of an error in a user interface.
public enum ErrorPresentation: Sendable, Hashable {
    /// The error is not shown: the user cancelled, or another sign-in or a sign-out took its place.
    case hidden
    /// One general sentence is shown, because the details don't help the user.
    case generic
    /// The error's own sentence is shown, `errorDescription`.
    ///
    /// This is also the presentation of errors that don't conform to ``PresentableError``.
    case ownSentence
}
