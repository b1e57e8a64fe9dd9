// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// A token for a Kubernetes client, as it reads it from standard output.
///
/// Wire: `ExecCredential`, without a `spec`.
/// [client.authentication.k8s.io/v1](https://kubernetes.io/docs/reference/config-api/client-authentication.v1/).
struct KubernetesCredential: Encodable {
    static let kind = "ExecCredential"

    let apiVersion: KubernetesExecInfo.Version
    let kind = KubernetesCredential.kind
    let status: Status

    struct Status: Encodable {
        /// The token, which is secret.
        let token: String
        /// The end of the token, after which the client runs the command again; nil if it is unknown.
        let expirationTimestamp: Date?
    }
}
