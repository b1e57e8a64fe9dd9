#if canImport(Darwin) || !AsyncHTTPClient
#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

#if canImport(FoundationNetworking)
/// libcurl's "got nothing" is a bad answer there, and nothing else is.
private let endsOfConnection: Set<URLError.Code> = [.networkConnectionLost, .badServerResponse]
#else
private let endsOfConnection: Set<URLError.Code> = [.networkConnectionLost]
#endif

/// What URLSession's errors mean.
enum URLSessionFault {
    static func transportError(for error: any Error) -> TransportError {
        guard let urlError = error as? URLError else {
            // Apple's hold the address as well, whatever their domain is.
            let other = error as NSError
            let bare = NSError(domain: other.domain, code: other.code)
            return TransportError(.failed, mayHaveReachedServer: true, underlying: bare)
        }
        // Without what else the error holds: the address, whole.
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
