// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin) || !AsyncHTTPClient
#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

#if canImport(FoundationNetworking)
/// The codes of a connection that ended: `badServerResponse` is libcurl's "got nothing" there, and nothing else.
private let endsOfConnection: Set<URLError.Code> = [.networkConnectionLost, .badServerResponse]
#else
private let endsOfConnection: Set<URLError.Code> = [.networkConnectionLost]
#endif

/// The meaning of URLSession's errors.
enum URLSessionErrorMapping {
    static func transportError(for error: any Error) -> TransportError {
        guard let urlError = error as? URLError else {
            // Apple's other errors hold the URL as well, whatever their domain is.
            let other = error as NSError
            let bare = NSError(domain: other.domain, code: other.code)
            return TransportError(.failed, mayHaveReachedServer: true, underlying: bare)
        }
        // The code alone: the error also holds the complete URL.
        let underlying = URLError(urlError.code)
        switch urlError.code {
        case .cannotConnectToHost, .notConnectedToInternet:
            return TransportError(.connectionRefused, mayHaveReachedServer: false, underlying: underlying)
        case .cannotFindHost, .dnsLookupFailed:
            return TransportError(.hostNotFound, mayHaveReachedServer: false, underlying: underlying)
        case .timedOut:
            return TransportError(.timedOut, mayHaveReachedServer: true, underlying: underlying)
        case let code where endsOfConnection.contains(code):
            return TransportError(.connectionClosed, mayHaveReachedServer: true, underlying: underlying)
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
            return TransportError(.insecureConnection, mayHaveReachedServer: false, underlying: underlying)
        default:
            return TransportError(.failed, mayHaveReachedServer: true, underlying: underlying)
        }
    }
}
#endif
