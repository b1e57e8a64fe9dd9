// SPDX-License-Identifier: Apache-2.0

import SecureStore

#if canImport(Darwin)
public import Foundation
#elseif canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The sentences that an app shows to its user, in the app's language.
///
/// Each sentence has a key: a type and its code, for example `AuthSessionError.notSignedIn`. ``sentences`` lists the
/// keys with their English sentences. A catalog translates a key; if it has no translation, the English sentence is
/// used. A translation has no details, such as the server's error code, except for the number of a wait: the text
/// `{count}` stands for it.
public struct MessageCatalog: Sendable {
    private let translate: @Sendable (_ key: String) -> String?
    /// The role of the app's users; nil if it is not known.
    private var role: String?

    /// Creates a catalog.
    ///
    /// - Parameter translate: The function that returns the translation of a key; nil if there is no translation.
    ///   Called on any thread.
    public init(_ translate: @escaping @Sendable (_ key: String) -> String?) {
        self.translate = translate
    }

    /// The catalog of the English sentences.
    public static let english = MessageCatalog { _ in nil }

    /// Returns the same catalog for an app whose users have one role.
    ///
    /// Used if the server refuses a sign-in with `role_conflict` and sends no sentence. The sentence of a catalog
    /// without a role names no role.
    ///
    /// - Parameter role: The backend's name of the role. There are sentences for `customer` and `driver`.
    /// - Returns: The catalog.
    public func forApp(ofRole role: String) -> MessageCatalog {
        var catalog = self
        catalog.role = role
        return catalog
    }

    #if canImport(Darwin)
    /// Creates a catalog that reads a strings table of the app.
    ///
    /// - Parameters:
    ///   - table: The name of the table, for example `Sallyport` for `Sallyport.xcstrings`.
    ///   - bundle: The bundle with the table.
    ///   - locale: The language.
    /// - Returns: The catalog.
    public static func localized(
        table: String = "Sallyport",
        bundle: LocalizedStringResource.BundleDescription = .main,
        locale: Locale = .current
    ) -> MessageCatalog {
        MessageCatalog { key in
            let value = String.LocalizationValue(key)
            let resource = LocalizedStringResource(value, table: table, locale: locale, bundle: bundle)
            let text = String(localized: resource)
            return text == key ? nil : text
        }
    }
    #endif

    /// Returns the sentence for an error.
    ///
    /// - Parameter error: The error. A ``PresentableError`` says how it is shown.
    /// - Returns: One sentence; nil if the error is not shown, because the user cancelled.
    public func message(for error: any Error) -> String? {
        if error is CancellationError { return nil }
        if let refusal = RefusalSentence(error) { return refusal.text(role: role, translate) }
        guard let error = error as? any PresentableError else { return Self.ownSentence(error) ?? general }
        switch error.presentation {
        case .hidden: return nil
        case .generic: return general
        case .ownSentence: return error.messageKey.flatMap(translate) ?? Self.ownSentence(error) ?? general
        }
    }

    /// Returns the explanation of a signed-out state for the sign-in screen.
    ///
    /// - Parameter reason: The reason.
    /// - Returns: One or two sentences; nil if the user knows the reason.
    public func explanation(of reason: SignedOutReason) -> String? {
        reason.explanation.map { reason.messageKey.flatMap(translate) ?? $0 }
    }

    /// Returns a sentence that belongs to no error.
    package func sentence(_ key: GeneralSentence) -> String { translate(key.key) ?? key.rawValue }

    private var general: String { sentence(.somethingWentWrong) }

    private static func ownSentence(_ error: any Error) -> String? {
        (error as? any LocalizedError)?.errorDescription
    }
}

/// A sentence that belongs to no error.
package enum GeneralSentence: String, CaseIterable {
    case somethingWentWrong = "Something went wrong. Try again."
    case signedOutHere = "Signed out here."

    fileprivate var key: String { "AuthenticationManager.\(self)" }
}

extension MessageCatalog {
    /// The English sentences by key: the table for a translator.
    ///
    /// The module `OpenIDSession` has the sentences of a sign-in at a provider, `openIDSentences`.
    public static var sentences: [String: String] {
        var sentences: [String: String] = [:]
        for sentence in GeneralSentence.allCases { sentences[sentence.key] = sentence.rawValue }
        for code in AuthSessionError.Code.allCases { add(AuthSessionError(code), to: &sentences) }
        for refusal in RefusalTemplate.allCases { sentences[refusal.key] = refusal.rawValue }
        for code in SecureStoreError.Code.allCases { add(SecureStoreError(code), to: &sentences) }
        for code in SessionRecordError.Code.allCases { add(SessionRecordError(code), to: &sentences) }
        for reason in SignedOutReason.allCases {
            if let key = reason.messageKey { sentences[key] = reason.explanation }
        }
        return sentences
    }

    /// Adds the sentence of an error that has a key.
    package static func add(_ error: some PresentableError, to sentences: inout [String: String]) {
        guard error.presentation == .ownSentence, let key = error.messageKey else { return }
        sentences[key] = ownSentence(error)
    }
}
