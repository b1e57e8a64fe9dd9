#if Keyring && canImport(CSecretService)
internal import CSecretService

/// A copy of secret bytes for C code, overwritten before its memory is freed.
///
/// GIO makes copies of its own when it writes a message to the socket. Those are out of reach.
@safe
final class WipedBuffer {
    let bytes: UnsafeMutableRawBufferPointer

    init(copying secret: [UInt8]) {
        // One more byte, because the address of an empty value must not be null.
        unsafe bytes = .allocate(byteCount: secret.count + 1, alignment: 8)
        unsafe bytes.copyBytes(from: secret)
        unsafe bytes[secret.count] = 0
    }

    deinit {
        unsafe sallyport_wipe(bytes.baseAddress, bytes.count)
        unsafe bytes.deallocate()
    }

    /// The number of secret bytes.
    var count: Int { unsafe bytes.count - 1 }
}
#endif
