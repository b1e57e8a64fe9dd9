#if !EncryptedFile
/// A file under a passphrase, which the package trait `EncryptedFile` brings.
@available(*, unavailable, message: "Turn the package trait EncryptedFile on; it is among the default traits.")
public enum EncryptedFileStore {}
#endif
