#if Keyring && canImport(CSecretService)
/// The name of an object on the bus.
struct ObjectPath: Hashable {
    let text: String

    /// Names an object of our own knowledge.
    init(_ path: StaticString) {
        text = path.description
    }

    /// Takes a path out of a message, where D-Bus has checked its form.
    init(fromBus path: String) {
        text = path
    }

    /// The Secret Service's way to say "none".
    var isNone: Bool { text == "/" }
}
#endif
