// SPDX-License-Identifier: Apache-2.0

import APIClient
import ArgumentParser
import AuthCore
import AuthSession
import OpenIDConnect

/// The options that name another API than the one that the session's own access token is for.
struct TargetOptions: ParsableArguments {
    @Option(name: .long, help: "The name that the provider knows the API by. May be given more than once.")
    var audience: [String] = []

    @Option(name: .long, help: ArgumentHelp("The API's URL. May be given more than once.", valueName: "url"))
    var resource: [String] = []

    @Option(name: .long, help: "The scope of the new token.")
    var scope: String?

    mutating func validate() throws {
        guard !(audience + resource).contains("") else {
            throw ValidationError("--audience and --resource take a value that is not empty.")
        }
        try scope.map { try Scope.check($0) }
        // RFC 8707, 2: an absolute URI without a fragment.
        guard resource.allSatisfy({ $0.contains("://") && !$0.contains("#") }) else {
            throw ValidationError("--resource takes an absolute URL without a fragment.")
        }
    }

    var target: TokenTarget {
        TokenTarget(audiences: audience, resources: resource, scope: scope.map { Scope($0) })
    }

    /// Returns an access token of a session for the API, with its lifetime and scope.
    ///
    /// - Throws: ``Failure`` if the provider refuses the API or the scope; `AuthSessionError`; `CancellationError`.
    func tokens(of session: any KeptSession, by grant: ResourceTokenGrant) async throws -> TokenSet {
        do {
            return try await session.tokens(for: target, by: grant)
        } catch let error as AuthSessionError
            where [.refreshRefused, .refreshFailed].contains(error.code)
            && (error.serverCode != nil || (error.underlying as? OpenIDError)?.operation == .token)
        {
            throw Self.refused(error.serverCode?.rawValue, error.serverMessage)
        } catch let error as OpenIDError where error.operation == .token && error.code == .refused {
            throw Self.refused(error.oauthCode?.rawValue, error.serverMessage)
        }
    }

    private static func refused(_ code: String?, _ message: String?) -> Failure {
        Failure(
            .failed,
            "The provider refused a token for this API (\(code ?? "no reason given")), and the session stays."
                + Failure.said(message),
            Failure.advice(forOAuthCode: code)
        )
    }

    /// The names of the options that were given.
    var given: [String] {
        [
            resource.isEmpty ? nil : "--resource", audience.isEmpty ? nil : "--audience", scope.map { _ in "--scope" },
        ].compactMap(\.self)
    }
}
