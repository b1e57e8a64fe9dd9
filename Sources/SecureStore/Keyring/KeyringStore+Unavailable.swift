// SPDX-License-Identifier: Apache-2.0

#if os(Linux) && !Keyring
/// The system keyring, which needs the package trait `Keyring`.
@available(*, unavailable, message: "Enable the package trait Keyring, which is a default trait.")
public enum KeyringStore {}
#endif
