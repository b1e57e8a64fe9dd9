package import APIClient
import OpenIDConnect

extension AuthSession: BoundTokenSource {
    /// What goes beside the access token; nil where it is a bearer token.
    ///
    /// [RFC 9449, 7](https://www.rfc-editor.org/rfc/rfc9449#section-7).
    package nonisolated var proofOfPossession: ProofOfPossession? {
        guard let key = snapshot.proofKey, let proofs = backend.provider?.proofs else { return nil }
        return ProofOfPossession(
            field: { method, origin, path, token in
                try proofs.field(by: key, method: method, origin: origin, path: path, token: token)
            },
            noteNonce: { fields, origin in proofs.noteNonce(in: fields, from: origin) }
        )
    }
}
