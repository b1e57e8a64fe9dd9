// SPDX-License-Identifier: Apache-2.0

import AuthCore
import FoundationEssentials
import OpenIDConnect

/// The files of a client: its secret, or its private key.
enum ClientFiles {
    /// Reads the first line of a file, without its end.
    ///
    /// - Throws: ``Failure`` (`wrongArguments`).
    static func secret(in file: String) throws -> ClientSecret {
        let data = try contents(of: file, "--client-secret-file")
        // Splits bytes, because text in another encoding than UTF-8 is not an empty file.
        guard let line = data.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first else {
            throw Failure(.wrongArguments, "The file \(file) is empty.", "Check --client-secret-file.")
        }
        do {
            return try ClientSecret(String(decoding: line, as: UTF8.self))
        } catch {
            throw Failure(
                .wrongArguments,
                error.description,
                "Check the first line of \(file) (--client-secret-file): a client secret is printable ASCII."
            )
        }
    }

    /// Reads a private key in PEM.
    ///
    /// - Throws: ``Failure`` (`wrongArguments`).
    static func key(in file: String, _ options: ClientOptions) throws -> ClientAssertionKey {
        let pem = try pem(in: file)
        do {
            var key = try ClientAssertionKey(
                pem: pem,
                algorithm: options.assertionAlgorithm?.algorithm,
                keyID: options.keyID
            )
            if let audience = options.assertionAudience?.audience { key.audience = audience }
            return key
        } catch {
            let advice =
                error.reason == .algorithmMismatch
                ? "Use another --assertion-algorithm: es256 is for P-256, rs256 and ps256 are for RSA."
                : "Check the file \(file) (--private-key)."
            throw Failure(.wrongArguments, error.description, advice)
        }
    }

    /// Returns what later commands need beside a user's session, or for a program; nil if the session holds enough.
    ///
    /// - Throws: ``Failure`` (`wrongArguments`).
    static func credential(
        _ options: ClientOptions,
        at provider: OpenIDProvider,
        of program: ProgramLogin? = nil
    ) throws -> ClientCredential? {
        guard options.privateKey != nil || options.workloadToken != nil || program != nil else { return nil }
        return ClientCredential(
            issuer: provider.metadata.issuer.identifier,
            clientID: provider.client.id,
            key: try options.privateKey.map { try pem(in: $0) },
            algorithm: options.assertionAlgorithm?.algorithm.description,
            keyID: options.keyID,
            audience: options.assertionAudience?.audience.rawValue,
            identityFile: options.workloadToken.map { absolutePath($0) },
            program: program
        )
    }

    private static func pem(in file: String) throws -> String {
        String(decoding: try contents(of: file, "--private-key"), as: UTF8.self)
    }

    /// Returns the path of a file that later commands read, in whatever folder they run.
    static func absolutePath(_ file: String) -> String {
        file.hasPrefix("/") ? file : "\(FileManager.default.currentDirectoryPath)/\(file)"
    }

    private static func contents(of file: String, _ option: String) throws -> Data {
        do {
            return try Data(contentsOf: URL(filePath: file))
        } catch {
            throw Failure(.wrongArguments, "The file \(file) can't be read.", "Check \(option).")
        }
    }
}
