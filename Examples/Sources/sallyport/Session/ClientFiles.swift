// SPDX-License-Identifier: Apache-2.0

import AuthCore
import FoundationEssentials
import OpenIDConnect

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

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

    /// Returns the private key of PEM text.
    ///
    /// - Throws: ``Failure`` (`wrongArguments`).
    static func key(_ pem: String, _ options: ClientOptions) throws -> ClientAssertionKey {
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
                : "Check the file \(options.privateKey ?? "") (--private-key)."
            throw Failure(.wrongArguments, error.description, advice)
        }
    }

    /// Reads the text of a private key.
    ///
    /// - Throws: ``Failure`` (`wrongArguments`).
    static func pem(in file: String) throws -> String {
        String(decoding: try contents(of: file, "--private-key"), as: UTF8.self)
    }

    /// Returns the path of a file that later commands read, in whatever folder they run.
    static func absolutePath(_ file: String) -> String {
        file.hasPrefix("/") ? file : "\(FileManager.default.currentDirectoryPath)/\(file)"
    }

    /// Reads a file, or a pipe, to its end.
    ///
    /// `Data(contentsOf:)` reads at most 4 KiB of a pipe, because its size is 0.
    private static func contents(of file: String, _ option: String) throws -> [UInt8] {
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        do {
            return try StandardInput.readAll(from: descriptor)
        } catch {
            throw Failure(.wrongArguments, "The file \(file) can't be read.", "Check \(option).")
        }
    }
}
