import AuthCore

/// A public key that a provider publishes, as far as signatures need it.
///
/// [RFC 7517, 4](https://www.rfc-editor.org/rfc/rfc7517#section-4).
struct JSONWebKey: Sendable, Hashable {
    /// What the key is.
    enum Material: Sendable, Hashable {
        /// Modulus and exponent, base64url.
        case rsa(modulus: String, exponent: String)
        /// A point on a curve, base64url; of an Edwards curve there is one coordinate.
        case curve(name: String, x: String, y: String?)
    }

    /// Its name.
    ///
    /// Wire: `kid`.
    let id: String?
    let material: Material
    /// The one algorithm that it is for.
    ///
    /// Wire: `alg`.
    private let algorithm: String?

    /// Reads a key; nil for one that is of no use here: another type, for encryption, or broken.
    ///
    /// A set may hold such keys beside ours: [RFC 7517, 5](https://www.rfc-editor.org/rfc/rfc7517#section-5).
    init?(_ members: [String: JSONValue]) {
        // RFC 7517, 4.2 and 4.3: a key for something else signs nothing.
        if let use = members["use"], use.string != "sig" { return nil }
        if let operations = members["key_ops"] {
            guard let all = operations.array, all.contains(.string("verify")) else { return nil }
        }
        for optional in ["kid", "alg"] {
            if let value = members[optional], value.string == nil { return nil }
        }
        id = members["kid"]?.string
        algorithm = members["alg"]?.string
        guard let material = Self.material(members) else { return nil }
        self.material = material
    }

    private static func material(_ members: [String: JSONValue]) -> Material? {
        switch members["kty"]?.string {
        case "RSA":
            guard let modulus = members["n"]?.string, let exponent = members["e"]?.string,
                isStrong(modulus: modulus), isSound(exponent: exponent)
            else { return nil }
            return .rsa(modulus: modulus, exponent: exponent)
        case "EC":
            guard let curve = members["crv"]?.string, let size = coordinateSize[curve],
                let x = members["x"]?.string, let y = members["y"]?.string,
                Base64URL.decode(x.utf8)?.count == size, Base64URL.decode(y.utf8)?.count == size
            else { return nil }
            return .curve(name: curve, x: x, y: y)
        case "OKP":
            guard members["crv"]?.string == "Ed25519", let x = members["x"]?.string,
                Base64URL.decode(x.utf8)?.count == 32
            else { return nil }
            return .curve(name: "Ed25519", x: x, y: nil)
        default:
            return nil
        }
    }

    /// RFC 7518, 6.2.1.2: the full size of a coordinate.
    private static let coordinateSize = ["P-256": 32, "P-384": 48, "P-521": 66]

    /// RFC 7518, 3.3 and 3.5: 2048 bits or more MUST be used; and no more than anybody uses, for the time it takes.
    private static func isStrong(modulus: String) -> Bool {
        guard let bytes = Base64URL.decode(modulus.utf8)?.drop(while: { $0 == 0 }), let first = bytes.first else {
            return false
        }
        let bits = bytes.count * 8 - first.leadingZeroBitCount
        return (2_048...16_384).contains(bits)
    }

    /// Odd, more than one, and no longer than anybody uses.
    private static func isSound(exponent: String) -> Bool {
        guard let bytes = Base64URL.decode(exponent.utf8)?.drop(while: { $0 == 0 }), let last = bytes.last else {
            return false
        }
        return bytes.count <= 8 && last & 1 == 1 && !(bytes.count == 1 && last == 1)
    }

    /// Whether a signature of an algorithm may be this key's.
    func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        if let mine = self.algorithm, !mine.utf8.elementsEqual(algorithm.description.utf8) { return false }
        return switch material {
        case .rsa: algorithm.keyType == "RSA"
        case .curve(let name, _, _): algorithm.curve == name
        }
    }

    /// Whether it has the name that a token's header gives.
    func isNamed(_ id: String) -> Bool { self.id.map { $0.utf8.elementsEqual(id.utf8) } ?? false }
}
