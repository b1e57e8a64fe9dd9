// SPDX-License-Identifier: Apache-2.0

#if Keyring && canImport(CSecretService)
import CSecretService

/// One owned reference to a `GVariant`, the value of a D-Bus message.
///
/// GIO has checked a received value against the expected type. If the type differs all the same, the accessors return
/// nil or an empty value.
@safe
final class Variant {
    let pointer: OpaquePointer

    /// Takes ownership of a reference, floating or full.
    init(taking pointer: OpaquePointer) {
        unsafe self.pointer = g_variant_take_ref(pointer)
    }

    deinit {
        unsafe g_variant_unref(pointer)
    }

    // MARK: Making

    static func string(_ text: String) -> Variant { unsafe Variant(taking: g_variant_new_string(text)) }

    /// Creates an object path, which is valid: D-Bus has checked it, or it is a constant.
    static func objectPath(_ path: ObjectPath) -> Variant {
        unsafe Variant(taking: g_variant_new_object_path(path.text))
    }

    static func bool(_ value: Bool) -> Variant { unsafe Variant(taking: g_variant_new_boolean(value ? 1 : 0)) }

    static func uint32(_ value: UInt32) -> Variant { unsafe Variant(taking: g_variant_new_uint32(value)) }

    /// Creates a reference to the first file descriptor that goes with a message.
    static var firstDescriptor: Variant { unsafe Variant(taking: g_variant_new_handle(0)) }

    static func tuple(_ children: [Variant]) -> Variant {
        unsafe withPointers(of: children) {
            unsafe Variant(taking: g_variant_new_tuple($0.baseAddress, gsize($0.count)))
        }
    }

    /// Creates an array of type `ao`.
    static func objectPaths(_ paths: [ObjectPath]) -> Variant { array(paths.map(objectPath), of: "o") }

    /// Creates a dictionary of type `a{ss}`.
    static func dictionary(_ entries: [String: String]) -> Variant {
        dictionary(entries.mapValues { .string($0) }, of: "{ss}")
    }

    /// Creates a dictionary of type `a{sv}`.
    static func dictionary(_ entries: [String: Variant]) -> Variant {
        let boxed = entries.mapValues { value in
            withExtendedLifetime(value) { unsafe Variant(taking: g_variant_new_variant(value.pointer)) }
        }
        return dictionary(boxed, of: "{sv}")
    }

    private static func dictionary(_ entries: [String: Variant], of type: String) -> Variant {
        let pairs = entries.sorted { $0.key < $1.key }.map { name, value in
            unsafe withPointers(of: [string(name), value]) {
                unsafe Variant(taking: g_variant_new_dict_entry($0[0], $0[1]))
            }
        }
        return array(pairs, of: type)
    }

    private static func array(_ members: [Variant], of type: String) -> Variant {
        unsafe withPointers(of: members) {
            unsafe Variant(taking: g_variant_new_array(Self.type(type), $0.baseAddress, gsize($0.count)))
        }
    }

    private static func withPointers(
        of variants: [Variant],
        _ body: (UnsafeBufferPointer<OpaquePointer?>) -> Variant
    ) -> Variant {
        withExtendedLifetime(variants) {
            let pointers = unsafe variants.map { unsafe Optional($0.pointer) }
            return unsafe pointers.withUnsafeBufferPointer { unsafe body($0) }
        }
    }

    // MARK: Reading

    /// Returns whether this is a value of the given type, for example `(ao)`.
    func isOf(type: String) -> Bool {
        unsafe g_variant_is_of_type(pointer, Self.type(type)) != 0
    }

    var string: String? {
        guard isOf(type: "s") || isOf(type: "o") else { return nil }
        return unsafe String(cString: g_variant_get_string(pointer, nil))
    }

    var objectPath: ObjectPath? { isOf(type: "o") ? string.map(ObjectPath.init) : nil }

    var bool: Bool? { isOf(type: "b") ? unsafe g_variant_get_boolean(pointer) != 0 : nil }

    var uint32: UInt32? { isOf(type: "u") ? unsafe g_variant_get_uint32(pointer) : nil }

    var uint64: UInt64? { isOf(type: "t") ? unsafe UInt64(g_variant_get_uint64(pointer)) : nil }

    /// The content of a value of type `v`.
    var boxed: Variant? {
        isOf(type: "v") ? unsafe Variant(taking: g_variant_get_variant(pointer)) : nil
    }

    /// The members of a tuple, array or dictionary.
    var children: [Variant] {
        guard unsafe g_variant_is_container(pointer) != 0 else { return [] }
        return unsafe (0..<g_variant_n_children(pointer)).map {
            unsafe Variant(taking: g_variant_get_child_value(pointer, $0))
        }
    }

    /// Returns the value that an `a{sv}` holds under a name.
    func member(_ name: String) -> Variant? {
        guard isOf(type: "a{sv}"), let found = unsafe g_variant_lookup_value(pointer, name, nil) else { return nil }
        return unsafe Variant(taking: found)
    }

    /// The content of an `a{ss}`; empty if it is too large for an item that this library looks for.
    var attributes: [KeyringItem.Attribute]? {
        guard isOf(type: "a{ss}") else { return nil }
        guard unsafe g_variant_get_size(pointer) <= Self.maximumAttributesSize else { return [] }
        return children.map(\.children).compactMap { pair in
            guard let name = pair.first?.string, let value = pair.last?.string else { return nil }
            return (name, value)
        }
    }

    private static let maximumAttributesSize: gsize = 256 * 1024

    /// Returns the D-Bus type of a signature that this code spells.
    ///
    /// The signature is interned, so it lives as long as the process.
    static func type(_ signature: String) -> OpaquePointer {
        unsafe g_variant_type_checked_(g_intern_string(signature))
    }
}

/// The path of an object on the bus: a constant, or one from a message, in which D-Bus has checked its form.
struct ObjectPath: Hashable {
    let text: String

    /// Whether this is `/`, which the Secret Service sends in place of no object.
    var isNone: Bool { text == "/" }
}
#endif
