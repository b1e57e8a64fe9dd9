// SPDX-License-Identifier: Apache-2.0

import NIOSSL

/// A certificate authority for tests, and a server certificate that it issued for 127.0.0.1 and localhost.
///
/// They protect nothing: no machine trusts the authority, and its key was deleted. Made with `openssl ca`, valid from
/// 2020 to 2120.
enum TestCertificates {
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBeTCCAR+gAwIBAgIBATAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhTYWxseXBv
        cnQgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
        MDBaMCMxITAfBgNVBAMMGFNhbGx5cG9ydCB0ZXN0IGF1dGhvcml0eTBZMBMGByqG
        SM49AgEGCCqGSM49AwEHA0IABKuT8mAF5XhQKaQkoI2eEITew5+UNxEv/DRGM1Zd
        l2Ar1iD89WCfoNdF/2WEdVSMp6IFZsQwiQ0s+HAb/tuTbBejQjBAMA8GA1UdEwEB
        /wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBToTgfMbAA7QxClOkOh
        GBnGf9kCmzAKBggqhkjOPQQDAgNIADBFAiAFfnV041P5yxswi1ADinHVi5S5uezw
        GMjQJPMcu3NsgwIhAMQuJptbONknDmorArfydcD8AzA8a7I1Z8OiDPL7fPU3
        -----END CERTIFICATE-----
        """

    static let server = """
        -----BEGIN CERTIFICATE-----
        MIIBpTCCAUygAwIBAgIBAjAKBggqhkjOPQQDAjAjMSEwHwYDVQQDDBhTYWxseXBv
        cnQgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAw
        MDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEH
        A0IABKqVUQWVUoB+KVdtg4k8KalDh8gJRubD6mgIxsg4vfPw3svUgJE3sgxXI/NA
        GuN+571lFp+uKCQodKBlZuUzSS+jfjB8MBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcE
        fwAAATATBgNVHSUEDDAKBggrBgEFBQcDATAJBgNVHRMEAjAAMB0GA1UdDgQWBBQ/
        l+37DqoNEq/W9rqEc67Z6QUmKzAfBgNVHSMEGDAWgBToTgfMbAA7QxClOkOhGBnG
        f9kCmzAKBggqhkjOPQQDAgNHADBEAiA9tTLCEYJ8MvjunrWbFSAkOxvVkZ9SIfeC
        83YVYKVgHgIgEUL4ETchCCymEzb5VTyURPvebOzY4wY3Fmfn6VQcuEE=
        -----END CERTIFICATE-----
        """

    static let serverKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgLNAS8nxjYK2UWjJM
        /p7T1wR2Xopf8aQj4CydXZaafKuhRANCAASqlVEFlVKAfilXbYOJPCmpQ4fICUbm
        w+poCMbIOL3z8N7L1ICRN7IMVyPzQBrjfue9ZRafrigkKHSgZWblM0kv
        -----END PRIVATE KEY-----
        """

    /// Returns the configuration of a server with this certificate, or another one and its key in PEM.
    static func serverConfiguration(_ certificate: String = server, key: String = serverKey) throws -> TLSConfiguration
    {
        TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))
        )
    }
}
