#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices
import Foundation
import OpenIDConnect

/// One sheet, from its showing to its end.
@MainActor
final class WebAuthenticationSheet: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let settings: WebAuthentication

    init(_ settings: WebAuthentication) {
        self.settings = settings
    }

    /// Shows a page until it leads to the app's address, or the person closes the sheet.
    ///
    /// - Parameter url: The page. Holds the state: not for logs.
    /// - Returns: The address that it led to.
    /// - Throws: `AuthorizationError` (`cancelled`, `noBrowser`, `invalidParameters`, `malformed`); `CancellationError`,
    ///   the sheet then closes.
    func redirect(from url: String) async throws -> String {
        guard let page = URL(string: url), let address = RedirectAddress(settings.redirectURI) else {
            throw AuthorizationError(.invalidParameters)
        }
        let end = SharedResult<String>()
        // Called on a thread of the system's choice, and so of no actor.
        let session = ASWebAuthenticationSession(url: page, callback: address.callback) { @Sendable url, error in
            end.finish(Self.result(url, error))
        }
        session.prefersEphemeralWebBrowserSession = settings.isEphemeral
        session.presentationContextProvider = self
        // The system keeps no strong reference to who knows the window.
        defer { withExtendedLifetime(self) {} }
        guard session.start() else { throw AuthorizationError(.noBrowser) }
        do {
            return try await end.value()
        } catch {
            // Closes it where the task was cancelled; the system has closed it otherwise.
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
            return .failure(error ?? AuthorizationError(.malformed))
        }
        return .failure(AuthorizationError(error.code == .canceledLogin ? .cancelled : .noBrowser))
    }
}

extension RedirectAddress {
    /// What the system is told to wait for.
    fileprivate var callback: ASWebAuthenticationSession.Callback {
        switch self {
        case .scheme(let scheme): .customScheme(scheme)
        case .page(let host, let path): .https(host: host, path: path)
        }
    }
}
#endif
