// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Crypto

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ProviderState {
    /// Returns a signed JWT, with the faults that a test injected.
    ///
    /// [RFC 7515, 3.1](https://www.rfc-editor.org/rfc/rfc7515#section-3.1).
    func sign(
        _ claims: [String: JSONValue],
        type: String = "JWT",
        with key: SigningKey,
        for client: Client,
        _ faults: AppliedFaults
    ) throws(EndpointError) -> String {
        var header = ["alg": JSONValue.string(key.algorithm.rawValue), "typ": .string(type), "kid": .string(key.id)]
        var signer = key
        switch faults.signature {
        case nil, .wrong:
            break
        case .unsigned:
            header["alg"] = .string("none")
            header["kid"] = nil
        case .hs256:
            header["alg"] = .string("HS256")
        case .keyInHeader:
            signer = try Self.unpublishedKey()
            header["alg"] = .string(signer.algorithm.rawValue)
            header["jwk"] = .object(signer.jwk)
        case .unknownKey:
            signer = try Self.unpublishedKey()
            header["alg"] = .string(signer.algorithm.rawValue)
            header["kid"] = .string(signer.id)
        case .withoutKeyID:
            header["kid"] = nil
        case .unknownCriticalHeader:
            header["crit"] = .strings(["urn:example:unknown"])
            header["urn:example:unknown"] = .boolean(true)
        }
        let parts = [header, faults.applied(to: claims)].map { Base64URL.encode(JSONText.encode($0)) }
        let text = parts.joined(separator: ".")
        let signature: [UInt8]
        switch faults.signature {
        case .unsigned:
            signature = []
        case .wrong:
            signature = try key.signature(of: text + "x")
        case .hs256:
            let secret = SymmetricKey(data: client.secret.map { Array($0.utf8) } ?? JSONText.encode(key.jwk))
            signature = Array(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: secret))
        default:
            signature = try signer.signature(of: text)
        }
        return text + "." + Base64URL.encode(signature)
    }

    private static func unpublishedKey() throws(EndpointError) -> SigningKey {
        guard let key = SigningKey(.es256) else {
            throw EndpointError("server_error", "The key could not be created.", status: 500)
        }
        return key
    }
}
