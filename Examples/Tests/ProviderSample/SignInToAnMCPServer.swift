import Sallyport

func signInToMCPServer(_ resource: String, service: String) async throws -> AuthSession {
    // The session of this server, and of no other one.
    let store = try KeyringStore(service: service, account: StoreScope.account(derivedFrom: resource))
    if let session = try await AuthSession.stored(in: store, of: [.openID]) { return session }
    let metadata = try await ProviderMetadata.discover(resource: resource)
    let path = metadata.issuer.distinctRedirectPath
    let app = ClientMetadata(name: "Jobs", redirectURIs: ["http://127.0.0.1:8484\(path)"])
    let client = try await OpenIDClient.register(app, at: metadata)
    let provider = OpenIDProvider.oauth(metadata: metadata, client: client)
    let session = AuthSession(backend: .openID(provider), store: store)
    try await session.signIn(using: .systemBrowser(redirect: LoopbackRedirect(port: 8484, path: path)))
    return session
}
