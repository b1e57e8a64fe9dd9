import Sallyport

func signInWithOkta(clientID: String, store: any SecureStore) async throws -> AuthSession {
    if let session = try await AuthSession.stored(in: store, of: [.openID]) { return session }
    let issuer = try Issuer("https://acme.okta.com/oauth2/default")
    var settings = ProviderSettings()
    settings.refreshGraceWindow = .seconds(30)
    let client = OpenIDClient.public(id: clientID)
    let provider = try await OpenIDProvider.discover(issuer: issuer, client: client, settings: settings)
    let session = AuthSession(backend: .openID(provider), store: store)
    try await session.signIn(using: .systemBrowser())
    return session
}
