// SPDX-License-Identifier: Apache-2.0

import APIClient
import AuthCore
import AuthSession
import FoundationEssentials
import OpenIDConnect
import OpenIDSession
import SecureStore

/// The state of the profile's session, without its user and its server.
struct SessionCheckup {
    let global: GlobalOptions
    let store: any SecureStore

    func finding() async -> Finding {
        do {
            let session = try await global.storedSession(in: store, noteUnsent: { _ in })
            return await finding(session)
        } catch let failure as Failure where failure.status == .notSignedIn {
            // Not an error: a user may ask before the first sign-in.
            return Finding(
                subject: "Session",
                sentence: "Not signed in, profile \(global.profile).",
                advice: failure.advice
            )
        } catch {
            let failure = Failure(error) ?? Failure(.failed, "The session can't be read.", "Sign in again.")
            return Finding(subject: "Session", failure)
        }
    }

    private func finding(_ session: any KeptSession) async -> Finding {
        let place = "profile \(global.profile), \(await session.protection), \(session.contractName)"
        let user = session as? AuthSession
        let isSignedIn = user.map { if case .signedIn = $0.state { true } else { false } } ?? true
        guard isSignedIn else {
            return Finding(
                subject: "Session",
                sentence: "The session has ended, or it can't be read (\(place)).",
                advice: "To see why, run sallyport status with the same --profile.",
                status: .sessionEnded
            )
        }
        if let refusal = await user?.refreshRefusal {
            // The server chooses the code, which may name a user or a host.
            let text = refusal.code?.rawValue ?? "no reason given"
            let isPlain = text.utf8.allSatisfy { "abcdefghijklmnopqrstuvwxyz0123456789_ ".utf8.contains($0) }
            let code = isPlain ? text : "another code"
            let since = RelativeTime.moment(refusal.since)
            return Finding(
                subject: "Session",
                sentence: "The server refuses the refresh (\(code)) since \(since), \(place).",
                advice: "Sign in again.",
                status: .failed
            )
        }
        let end = await session.accessTokenLifetime?.expiresAt
        let token =
            end.map { ($0 > Date() ? "until " : "expired at ") + RelativeTime.moment($0) } ?? "of unknown lifetime"
        let binding = await session.isSenderConstrained ? ", bound to a key (DPoP)" : ""
        let canRefresh = await session.canRefresh
        let refresh = canRefresh ? "it can be refreshed" : "it can't be refreshed"
        let isOver = !canRefresh && end.map { $0 <= Date() } ?? false
        return Finding(
            subject: "Session",
            sentence: "Signed in, \(place); access token \(token)\(binding), \(refresh).",
            advice: isOver ? "Sign in again." : nil,
            status: isOver ? .sessionEnded : .done
        )
    }
}
