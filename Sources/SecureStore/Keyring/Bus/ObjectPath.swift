// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
/// The name of an object on the bus.
struct ObjectPath: Hashable {
    let text: String

    /// Creates a path from a constant.
    init(_ path: StaticString) {
        text = path.description
    }

    /// Creates a path from a message, in which D-Bus has checked its form.
    init(fromBus path: String) {
        text = path
    }

    /// Whether this is `/`, which the Secret Service sends in place of no object.
    var isNone: Bool { text == "/" }
}
#endif
