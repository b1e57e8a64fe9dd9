// SPDX-License-Identifier: Apache-2.0

#if canImport(Security) && (!canImport(LocalAuthentication) || os(tvOS) || os(watchOS))
import Security

/// The prompt of systems that show none.
final class KeychainPrompt {
    init(reason: String) {}

    func attributes(isAllowed: Bool) -> [CFString: Any] { [:] }

    func startOver() {}
}
#endif
