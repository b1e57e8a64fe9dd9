// SPDX-License-Identifier: Apache-2.0

import AuthCore
import Benchmark
import Foundation
import JWTKit

/// A way to read a token without verifying it; all read the same token.
enum Contender: String, CaseIterable {
    case sallyport = "Sallyport"
    case sallyportWithClaims = "Sallyport, seven claims read"
    case jwtKit = "jwt-kit, unverified"
    case decoder = "JSONDecoder, typed, on the payload alone"
    case foundation = "Foundation by hand: split, base64, two JSONDecoders"

    func decode() async throws {
        switch self {
        case .sallyport:
            blackHole(try UnverifiedJWT(SampleToken.compact))
        case .sallyportWithClaims:
            let claims = try UnverifiedJWT(SampleToken.compact).claims
            blackHole((claims.issuer, claims.subject, claims.audience, claims.expiration, claims.issuedAt))
            blackHole((claims["nonce"], claims["email"]))
        case .jwtKit:
            blackHole(try await Self.keys.unverified(SampleToken.bytes, as: Payload.self))
        case .decoder:
            blackHole(try Self.jsonDecoder.decode(SampleToken.Claims.self, from: SampleToken.payloadData))
        case .foundation:
            blackHole(try SampleToken.decodeWithFoundation())
        }
    }

    private static let keys = JWTKeyCollection()
    private static let jsonDecoder = JSONDecoder()

    /// The claims as jwt-kit decodes them.
    private struct Payload: JWTPayload {
        let iss: IssuerClaim
        let sub: SubjectClaim
        let aud: AudienceClaim
        let exp: ExpirationClaim
        let iat: IssuedAtClaim
        let nonce: String?
        let email: String?
        let email_verified: Bool?

        func verify(using algorithm: some JWTAlgorithm) {}
    }
}
