import APIClient
import AuthCore
import OpenIDConnect

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The stored form of a provider and of the app as it knows it: all that a refresh needs.
struct ProviderFormat: StoredForm {
    /// As a discovery document, and read as strictly as one.
    let metadata: [String: JSONValue]
    let clientID: String
    let clientSecret: String?
    let clientAuthentication: String
    let insecureHTTP: Bool?
    /// Seconds.
    let graceWindow: Double?
    /// Seconds.
    let clockSkew: Double?
    /// Their `alg` names.
    let signatureAlgorithms: [String]?

    init(_ provider: OpenIDProvider) {
        metadata = provider.metadata.document
        clientID = provider.client.id
        clientAuthentication = provider.client.authentication.name
        clientSecret =
            switch provider.client.authentication {
            case .none: nil
            case .basic(let secret), .post(let secret): secret.unredacted
            }
        insecureHTTP = provider.metadata.allowsInsecureHTTP ? true : nil
        graceWindow = provider.settings.refreshGraceWindow?.timeInterval
        clockSkew = provider.settings.clockSkew.timeInterval
        signatureAlgorithms = provider.settings.signatureAlgorithms.map(\.description)
    }

    func provider() throws -> OpenIDProvider {
        guard let identifier = metadata["issuer"]?.string else { throw SessionRecordError(.damaged) }
        let issuer = try Issuer(identifier, insecureHTTP: insecureHTTP == true ? .insecurelyAllowHTTP : .refuse)
        let document = Array(try JSONEncoder().encode(metadata))
        var settings = ProviderSettings()
        settings.refreshGraceWindow = graceWindow.flatMap { (0...3_600).contains($0) ? .seconds($0) : nil }
        if let clockSkew, (0...3_600).contains(clockSkew) { settings.clockSkew = .seconds(clockSkew) }
        if let signatureAlgorithms {
            // What the app does not allow, a stored session does not allow either.
            settings.signatureAlgorithms = signatureAlgorithms.compactMap { SignatureAlgorithm($0) }
        }
        return OpenIDProvider(
            metadata: try ProviderMetadata(document, of: issuer),
            client: try client(),
            settings: settings
        )
    }

    private func client() throws -> OpenIDClient {
        guard !clientID.isEmpty else { throw SessionRecordError(.damaged) }
        guard let method = ClientAuthentication.Method(rawValue: clientAuthentication) else {
            guard clientAuthentication == ClientAuthentication.none.name else { throw SessionRecordError(.damaged) }
            return .public(id: clientID)
        }
        guard let clientSecret else { throw SessionRecordError(.damaged) }
        return .confidential(id: clientID, secret: try ClientSecret(clientSecret), method: method)
    }
}
