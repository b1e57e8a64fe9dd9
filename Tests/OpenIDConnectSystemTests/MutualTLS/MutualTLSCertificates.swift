// SPDX-License-Identifier: Apache-2.0

#if Curl && os(Linux)
import NIOSSL

/// A client with a certificate of the authority in ``MutualTLSCertificates``.
struct CertificateClient: Sendable {
    let id: String
    /// The certificate in PEM.
    let certificate: String
    let key: String
    /// The SHA-256 of the certificate in base64url, as `openssl dgst` computes it.
    let thumbprint: String

    static let tool = CertificateClient(
        id: "tool",
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBlTCCATqgAwIBAgIBAzAKBggqhkjOPQQDAjAyMTAwLgYDVQQDDCdTYWxseXBv
            cnQgdGVzdCBhdXRob3JpdHkgZm9yIG11dHVhbCBUTFMwIBcNMjAwMTAxMDAwMDAw
            WhgPMjEyMDAxMDEwMDAwMDBaMA8xDTALBgNVBAMMBHRvb2wwWTATBgcqhkjOPQIB
            BggqhkjOPQMBBwNCAAQESFK+P0KXzGWZaYKT144e3wxhV+H3qOUme1iNfXVNkKC5
            SPnc2u28vC95ftCcM5aH6PMHjfEJGzIwQpS1j8Mxo2IwYDATBgNVHSUEDDAKBggr
            BgEFBQcDAjAJBgNVHRMEAjAAMB0GA1UdDgQWBBTD/mBxynwyRa4XZ0gOoWGh599m
            0jAfBgNVHSMEGDAWgBTGTH/VBQtP79EXXUFb1L3pwQ/QrzAKBggqhkjOPQQDAgNJ
            ADBGAiEAoNtnmIBzdYFe/rn9IRXXiiRQiww1WyvZmqFhxP58//4CIQCyUmv3XPZT
            7wSJW40r1ta46rEQ6zzgQodv0N7GnqZsOQ==
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7Fj0glw6zAol2nhB
            SmhKG7l3faxgYZNIZRYRUINj8HihRANCAAQESFK+P0KXzGWZaYKT144e3wxhV+H3
            qOUme1iNfXVNkKC5SPnc2u28vC95ftCcM5aH6PMHjfEJGzIwQpS1j8Mx
            -----END PRIVATE KEY-----
            """,
        thumbprint: "6kve4l_PN2xY7w8QZu-bhhwD95l1husvHFM6miWzNys"
    )

    /// Another client of the same authorization server.
    static let other = CertificateClient(
        id: "other",
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBlTCCATugAwIBAgIBBDAKBggqhkjOPQQDAjAyMTAwLgYDVQQDDCdTYWxseXBv
            cnQgdGVzdCBhdXRob3JpdHkgZm9yIG11dHVhbCBUTFMwIBcNMjAwMTAxMDAwMDAw
            WhgPMjEyMDAxMDEwMDAwMDBaMBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0C
            AQYIKoZIzj0DAQcDQgAEzJgDnkyboaezpYseDrjAFDuFwQVe5TLTVg46TFvHsP5x
            VWBF3zSthIgc5dfoVziQau0P/13Vq0dtCqVBFZc+lqNiMGAwEwYDVR0lBAwwCgYI
            KwYBBQUHAwIwCQYDVR0TBAIwADAdBgNVHQ4EFgQUvoumDb4IebYoVl5p7EJOh8pO
            UQwwHwYDVR0jBBgwFoAUxkx/1QULT+/RF11BW9S96cEP0K8wCgYIKoZIzj0EAwID
            SAAwRQIgdkltdjsE+E3uKwCzcIzcARtsHQ5Us+JH3ketZlUyBtgCIQCDoeu/0R54
            mRk2J0DF0RAomz3hMTejR3XanDCIBk1jIQ==
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgrZWIICimDyPAxzN5
            wmO757SVLuLOI3RAiTW5JPSA+uuhRANCAATMmAOeTJuhp7Olix4OuMAUO4XBBV7l
            MtNWDjpMW8ew/nFVYEXfNK2EiBzl1+hXOJBq7Q//XdWrR20KpUEVlz6W
            -----END PRIVATE KEY-----
            """,
        thumbprint: "jXPrjwFKloSSqodK6-9eIp3SOLrQDpRu4OABcaz81Jc"
    )
}

/// A certificate authority, and the certificate that it issued for a server at 127.0.0.1.
///
/// They protect nothing: no machine trusts the authority, and its key was deleted. Made with `openssl ca`, valid from
/// 2020 to 2120.
enum MutualTLSCertificates {
    /// The authority that issued the certificates of the server and of the clients.
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBlzCCAT2gAwIBAgIBATAKBggqhkjOPQQDAjAyMTAwLgYDVQQDDCdTYWxseXBv
        cnQgdGVzdCBhdXRob3JpdHkgZm9yIG11dHVhbCBUTFMwIBcNMjAwMTAxMDAwMDAw
        WhgPMjEyMDAxMDEwMDAwMDBaMDIxMDAuBgNVBAMMJ1NhbGx5cG9ydCB0ZXN0IGF1
        dGhvcml0eSBmb3IgbXV0dWFsIFRMUzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
        BEj/CRkBhq6KcNGkwloPmHlZohO3qQdNayrfD+twN+bYPFB+KA0iCYdjuhA4YbtK
        Lv+89MH6wH50SK6Iol4ySqKjQjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/
        BAQDAgIEMB0GA1UdDgQWBBTGTH/VBQtP79EXXUFb1L3pwQ/QrzAKBggqhkjOPQQD
        AgNIADBFAiBCt1gbNLXyznpysQ2s2TVZNYa/AE52eMajgZhyxUemWQIhANqeuAxM
        V8SL952Crsu50PMCkcWxhwYjTlUDOiQNU2Sa
        -----END CERTIFICATE-----
        """

    private static let server = """
        -----BEGIN CERTIFICATE-----
        MIIBtDCCAVugAwIBAgIBAjAKBggqhkjOPQQDAjAyMTAwLgYDVQQDDCdTYWxseXBv
        cnQgdGVzdCBhdXRob3JpdHkgZm9yIG11dHVhbCBUTFMwIBcNMjAwMTAxMDAwMDAw
        WhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqG
        SM49AgEGCCqGSM49AwEHA0IABPCCcMm53FURQ7UmIBBaZtRbkFJeSmql1I4ZIgl0
        DA+ySF/gyU5Y/geJ0NRBcYpCcioskrLGayB7kFkUZ8o1ZPmjfjB8MBoGA1UdEQQT
        MBGCCWxvY2FsaG9zdIcEfwAAATATBgNVHSUEDDAKBggrBgEFBQcDATAJBgNVHRME
        AjAAMB0GA1UdDgQWBBQEpBkr/wsvcnClF09vifn8BoWgKzAfBgNVHSMEGDAWgBTG
        TH/VBQtP79EXXUFb1L3pwQ/QrzAKBggqhkjOPQQDAgNHADBEAiAW6/qvMDkU0fl6
        oBMiRyVit5UIKFXNYRUzEPHV1rYv5AIgRjvjlu+gq4Q/6K6EMWLtFTPmpb1qBe/e
        g2SENb+vAG4=
        -----END CERTIFICATE-----
        """

    private static let serverKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgeyec6OlFUplq8XRo
        Xp3r0E+4s4GZg9KglTbBiw/f1vihRANCAATwgnDJudxVEUO1JiAQWmbUW5BSXkpq
        pdSOGSIJdAwPskhf4MlOWP4HidDUQXGKQnIqLJKyxmsge5BZFGfKNWT5
        -----END PRIVATE KEY-----
        """

    /// Returns the configuration of a server that refuses clients without a certificate of the authority.
    static func serverConfiguration() throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(server.utf8)).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(serverKey.utf8), format: .pem))
        )
        tls.certificateVerification = .noHostnameVerification
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        return tls
    }
}
#endif
