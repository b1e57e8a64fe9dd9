// SPDX-License-Identifier: Apache-2.0

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthCore
import AuthenticationServices
import Foundation
import OpenIDConnect

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
    /// - Returns: The URL that the page redirected to.
    /// - Throws: `OpenIDError`; `CancellationError`, and the sheet closes.
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
