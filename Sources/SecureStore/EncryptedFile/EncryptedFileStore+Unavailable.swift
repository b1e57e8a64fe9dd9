// SPDX-License-Identifier: Apache-2.0

#if !EncryptedFile
/// A file encrypted under a passphrase, available with the package trait `EncryptedFile`.
@available(*, unavailable, message: "Enable the package trait EncryptedFile, which is not a default trait.")
public enum EncryptedFileStore {}
#endif
