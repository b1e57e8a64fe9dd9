import APIClient
import HTTPTypes

extension InProcessProvider {
    /// Opens an authorization request as the person's browser does, and signs the person in or not.
    ///
    /// Checks the request as a strict provider does. What is wrong with the client or the redirect URI is a page, all
    /// else is told to the callback.
    ///
    /// - Parameter url: What the relying party gives the browser.
    /// - Returns: The callback with code, state and issuer, or with an error; or a page.
    public func authorize(_ url: String) -> Navigation { browse(url, .authorization) }

    /// Opens an end-session request as the person's browser does.
    ///
    /// - Parameter url: What the relying party gives the browser.
    /// - Returns: The post-logout redirect, or a page where there is none or it is not the client's.
    ///
    /// [OpenID Connect RP-Initiated Logout 1.0, 2](https://openid.net/specs/openid-connect-rpinitiated-1_0.html#RPLogout).
    public func endSession(_ url: String) -> Navigation { browse(url, .endSession) }

    private func browse(_ url: String, _ endpoint: Endpoint) -> Navigation {
        let request = ProviderRequest(browsing: url)
        guard read({ $0.address.url(endpoint) }) == request.url else { return .unreachable }
        switch exchange(request).result {
        case .failure:
            return .unreachable
        case .success(let answer):
            if let location = answer.head.headerFields[.location] { return .redirect(to: location) }
            return .page(status: answer.head.status.code, text: String(decoding: answer.body, as: UTF8.self))
        }
    }
}
