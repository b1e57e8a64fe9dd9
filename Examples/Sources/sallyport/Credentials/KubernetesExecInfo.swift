// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The request of a Kubernetes client for a credential.
///
/// Wire: the `ExecCredential` in `KUBERNETES_EXEC_INFO`.
/// [client.authentication.k8s.io/v1](https://kubernetes.io/docs/reference/config-api/client-authentication.v1/).
struct KubernetesExecInfo: Sendable {
    /// The version of the response.
    enum Version: String, Encodable {
        case v1 = "client.authentication.k8s.io/v1"
        case v1beta1 = "client.authentication.k8s.io/v1beta1"
    }

    let version: Version

    /// The maximum size of the value: far more than a cluster's certificates need, for `provideClusterInfo`.
    private static let limit = 1_048_576

    /// Reads the request.
    ///
    /// - Parameter text: The value of `KUBERNETES_EXEC_INFO`; nil or empty if the client requests no version. Untrusted.
    /// - Throws: ``Failure`` (`wrongArguments`) if it is malformed, too large, or requests another version.
    init(_ text: String?) throws {
        guard let text, !text.isEmpty else {
            version = .v1
            return
        }
        guard text.utf8.count <= Self.limit,
            let request = try? JSONDecoder().decode(Request.self, from: Data(text.utf8)),
            request.kind == nil || request.kind == KubernetesCredential.kind
        else {
            throw Failure(
                .wrongArguments,
                "KUBERNETES_EXEC_INFO is not an ExecCredential.",
                "Let kubectl set it, or unset it."
            )
        }
        guard let requested = request.apiVersion else {
            version = .v1
            return
        }
        guard let version = Version(rawValue: requested) else {
            throw Failure(
                .wrongArguments,
                "The version of ExecCredential that KUBERNETES_EXEC_INFO requests is not supported.",
                "In the kubeconfig, set the user's exec.apiVersion to \(Version.v1.rawValue)."
            )
        }
        self.version = version
    }

    private struct Request: Decodable {
        let apiVersion: String?
        let kind: String?
    }
}
