// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthSession
import AuthTesting
import HTTPTypes
import OpenIDConnect
import OpenIDSession
import SecureStore
import Testing

/// An API whose metadata name a hostile server, and an honest server whose codes it wants.
///
/// Both look honest, and neither sends `iss`. [RFC 9700, 4.4](https://www.rfc-editor.org/rfc/rfc9700#section-4.4).
struct MixUp: Transport {
    static let api = "https://mcp.example.com/mcp"

    let hostile: InProcessProvider
    let honest: InProcessProvider

    /// The redirect paths that belong to each server alone.
    let (hostilePath, honestPath): (String, String)

    init() throws {
        (hostile, hostilePath) = try Self.server("https://hostile.example", client: "tool")
        (honest, honestPath) = try Self.server("https://honest.example", client: "known")
    }

    private static func server(_ issuer: String, client: String) throws -> (InProcessProvider, path: String) {
        let path = try Issuer(issuer).distinctRedirectPath
        let uris = ["/callback", path].flatMap {
            ["com.example.app:" + $0, "http://127.0.0.1" + $0, "http://[::1]" + $0]
        }
        var configuration = InProcessProvider.Configuration()
        configuration.clients = [.public(id: client, redirectURIs: uris)]
        let server = InProcessProvider(issuer: issuer, configuration: configuration)
        let announcement = "authorization_response_iss_parameter_supported"
        server.inject(.responseMember(announcement, nil, at: .discovery), times: .max)
        server.inject(.callbackParameter("iss", nil), times: .max)
        return (server, path)
    }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        switch request.head.authority {
        case "mcp.example.com": .json(#"{"resource":"\#(Self.api)","authorization_servers":["\#(hostile.issuer)"]}"#)
        case "honest.example": try await honest.send(request)
        default: try await hostile.send(request)
        }
    }

    /// Returns a session at the hostile server, which only the API names unless the app does.
    func session(in store: any SecureStore = MemoryStore(), isNamedByApp: Bool = false) async throws -> AuthSession {
        var settings = ProviderSettings()
        settings.transport = self
        var profile = ProviderProfile.standard
        profile.resources = [Self.api]
        let issuer = try Issuer(hostile.issuer, profile: profile)
        let metadata =
            isNamedByApp
            ? try await ProviderMetadata.discover(authorizationServer: issuer, settings: settings)
            : try await ProviderMetadata.discover(resource: Self.api, settings: settings)
        let server = OpenIDProvider.oauth(
            metadata: metadata.withDistinctRedirect(),
            client: .public(id: "tool"),
            settings: settings
        )
        return AuthSession(backend: .openID(server), store: store, transport: self)
    }

    /// Returns the honest server's response, to which the hostile server's page redirects the browser.
    ///
    /// The hostile server keeps the app's state and code challenge, and sends a client ID that the honest server knows.
    ///
    /// - Parameters:
    ///   - url: The URL that the app opened.
    ///   - change: A closure that changes the redirect URI.
    /// - Returns: The URL with the honest server's code; nil if it refuses the redirect URI.
    /// - Throws: An error if the URL has no query.
    func detour(from url: String, _ change: (String) -> String = { $0 }) throws -> String? {
        let query = try #require(url.split(separator: "?", maxSplits: 1).last)
        let form = try #require(FormEncoding.decode(String(query))).map { name, value in
            switch name {
            case "client_id": (name, "known")
            case "redirect_uri": (name, change(value))
            default: (name, value)
            }
        }
        return honest.authorize(honest.url(of: .authorization) + "?" + FormEncoding.encode(form)).redirectURL
    }
}
