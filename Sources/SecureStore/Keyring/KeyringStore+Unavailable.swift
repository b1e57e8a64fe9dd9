#if os(Linux) && !Keyring
/// The system keyring, which the package trait `Keyring` brings.
@available(*, unavailable, message: "Turn the package trait Keyring on; it is among the default traits.")
public enum KeyringStore {}
#endif
