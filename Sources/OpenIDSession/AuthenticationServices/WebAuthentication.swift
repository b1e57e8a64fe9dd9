// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthCore
public import AuthenticationServices
import Foundation
import OpenIDConnect

/// The system's sheet in which the user signs in at a provider, and which returns the redirect to the app.
///
/// The browser renders the page, so the app sees neither password nor cookies.
/// [RFC 8252, B.1](https://www.rfc-editor.org/rfc/rfc8252#appendix-B.1).
public struct WebAuthentication: Sendable {
    /// The app's redirect URI, as registered at the provider.
    ///
    /// Has a scheme of the app's own, or `https` with a host that the app's associated domains name.
    public let redirectURI: String
    /// Whether the sheet uses a private browser session.
    ///
    /// If true, the user isn't signed in there already, the browser keeps nothing afterwards, and the system doesn't
    /// ask whether the app may use the browser's cookies.
    public let isEphemeral: Bool
    /// The window that the sheet belongs to.
    let anchor: @MainActor @Sendable () -> ASPresentationAnchor

    /// Describes a sheet without showing it; an app with several windows returns the one in use as its anchor.
    public init(
        redirectURI: String,
        isEphemeral: Bool = false,
        anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor = { ASPresentationAnchor() }
    ) {
        self.redirectURI = redirectURI
        self.isEphemeral = isEphemeral
        self.anchor = anchor
    }
}

/// A single presentation of the sheet.
@MainActor
final class WebAuthenticationSheet: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let settings: WebAuthentication

    init(_ settings: WebAuthentication) {
        self.settings = settings
    }

    /// Shows a page until it redirects to the app's address or the user closes the sheet.
    ///
    /// - Parameter url: The page's URL. Contains the state: not for logs.
    /// - Throws: `OpenIDError`, or another error of the system's; `CancellationError`, and the sheet closes.
    func redirect(from url: String) async throws -> String {
        guard let page = URL(string: url), let address = RedirectURI(settings.redirectURI) else {
            throw OpenIDError(.authorization, .invalidRequest)
        }
        let end = Promise<String>()
        // The system calls this on any thread, so the closure is isolated to no actor.
        let session = ASWebAuthenticationSession(url: page, callback: address.callback) { @Sendable url, error in
            end.finish(Self.result(url, error))
        }
        session.prefersEphemeralWebBrowserSession = settings.isEphemeral
        session.presentationContextProvider = self
        // The system holds no strong reference to the presentation context provider.
        defer { withExtendedLifetime(self) {} }
        guard session.start() else { throw OpenIDError(.authorization, .noBrowser) }
        do {
            return try await end.value()
        } catch {
            // Closes the sheet if the task was cancelled. Otherwise the system has closed it already.
            session.cancel()
            throw error
        }
    }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
        settings.anchor()
    }

    private nonisolated static func result(_ url: URL?, _ error: (any Error)?) -> Result<String, any Error> {
        if let url { return .success(url.absoluteString) }
        guard let error = error as? ASWebAuthenticationSessionError else {
            return .failure(error ?? OpenIDError(.authorization, .malformedResponse))
        }
        return .failure(
            error.code == .canceledLogin
                ? OpenIDError(.authorization, .cancelled) : OpenIDError(.authorization, .noBrowser)
        )
    }
}

extension RedirectURI {
    /// The callback that the system waits for.
    fileprivate var callback: ASWebAuthenticationSession.Callback {
        switch self {
        case .scheme(let scheme): .customScheme(scheme)
        case .page(let host, let path): .https(host: host, path: path)
        }
    }
}
#endif
