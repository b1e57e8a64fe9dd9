// SPDX-License-Identifier: Apache-2.0

import NIOSSL

/// A certificate authority for TLS clients, a certificate that it issued, and one that it did not issue.
///
/// They protect nothing: no machine trusts the authority, and its key was deleted. Made with `openssl ca`, valid from
/// 2020 to 2120.
enum TestClientCertificates {
    /// The certificate authority of the server in the tests.
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBiDCCAS2gAwIBAgIBATAKBggqhkjOPQQDAjAqMSgwJgYDVQQDDB9TYWxseXBv
        cnQgdGVzdCBjbGllbnQgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAw
        MTAxMDAwMDAwWjAqMSgwJgYDVQQDDB9TYWxseXBvcnQgdGVzdCBjbGllbnQgYXV0
        aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAECl6AjxxFBFvR8jjAlLi4
        63f8BrhymJ1NbxeqZH9/+ZVa4PLewVID2YE82bTsRQHWzrc9NET6bZBeo5/hV7JY
        5KNCMEAwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwHQYDVR0OBBYE
        FPIX3t784BKXiJ5O0nKed5c7r0fYMAoGCCqGSM49BAMCA0kAMEYCIQC6zB7WlqsT
        STJgPyYospxnKrzmNV1+7ezxgK5uskq5QwIhAKPDyFCZUd9m6Hj4U2aq+M3DMlba
        A2I61ftBskV+5+Tb
        -----END CERTIFICATE-----
        """

    /// A certificate that the authority issued for TLS clients.
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBjDCCATKgAwIBAgIBAjAKBggqhkjOPQQDAjAqMSgwJgYDVQQDDB9TYWxseXBv
        cnQgdGVzdCBjbGllbnQgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAw
        MTAxMDAwMDAwWjAPMQ0wCwYDVQQDDAR0b29sMFkwEwYHKoZIzj0CAQYIKoZIzj0D
        AQcDQgAEZ4XomHyPatTQHQ+CDWfPCn8FvQK/1Q3Ad3I6Wm1Eho6QG4A7al+3b5Fn
        qzcXlXWxZyvcjNecLB6clA0GPAnCkKNiMGAwEwYDVR0lBAwwCgYIKwYBBQUHAwIw
        CQYDVR0TBAIwADAdBgNVHQ4EFgQUEvmlZHfZXs0eVMaL+ELsP2CJb9kwHwYDVR0j
        BBgwFoAU8hfe3vzgEpeInk7Scp53lzuvR9gwCgYIKoZIzj0EAwIDSAAwRQIhAM6n
        S3YA3TL35cDQHobosHl5lgoT8k9RNBYq3B2e30Y4AiB5tkLcdaNMCv5arR5g9/63
        Z4icBzKQt/HY9jZ9WaDUEA==
        -----END CERTIFICATE-----
        """

    /// The private key of ``certificate``.
    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0IKCxYXH3a9knimU
        iG8gm0xgpPs/SSVvjSp+maN63SyhRANCAARnheiYfI9q1NAdD4INZ88KfwW9Ar/V
        DcB3cjpabUSGjpAbgDtqX7dvkWerNxeVdbFnK9yM15wsHpyUDQY8CcKQ
        -----END PRIVATE KEY-----
        """

    /// The private key of ``certificate``, encrypted with the passphrase `secret`.
    static let encryptedKey = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgLT1m3K7Vp+AICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEKAmHsUTS5kZD4fimldD7xUEgZBc
        nzP9wD65LlHyZxDJaNE4u+7SVPh1kOmFaHqq5bgt0E5cvP4RKBpMhIuuqlE5PMUT
        jSNr0/lNjdcqwcQiHUVl0158WPyEa/eSNfedA6n2YFh1lW0telgGjvrDV6xuiiDN
        0A9VS3uJPciVI1WqE6/SQi7g3aZh5u6G8fCwBkPHi4Is30Q75+3sTeIcGbUn0a4=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// A self-signed certificate with the same subject as ``certificate``.
    static let strangerCertificate = """
        -----BEGIN CERTIFICATE-----
        MIIBTzCB9qADAgECAgEDMAoGCCqGSM49BAMCMA8xDTALBgNVBAMMBHRvb2wwIBcN
        MjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMA8xDTALBgNVBAMMBHRvb2ww
        WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATiEQu4g2trotWkJTdF23FN22uH49/i
        EyVY5JACVMieBThyCp9YGlcStFdc+9XTAvAHHhYdqXgq1STiSqPIYpVfo0EwPzAT
        BgNVHSUEDDAKBggrBgEFBQcDAjAJBgNVHRMEAjAAMB0GA1UdDgQWBBS63wmzz/fL
        N/BBJejzm9sKyPXuPDAKBggqhkjOPQQDAgNIADBFAiEA8KInBNUsWejHcD609CxG
        NJLj9s0y2b0llV99SXngzsECIDc+KU408+yFeMCF3nbqyTGAkDPb7ckvWaAos3T2
        Vtyp
        -----END CERTIFICATE-----
        """

    /// The private key of ``strangerCertificate``.
    static let strangerKey = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgsPyli3KFdph051EJ
        kYK85Uqt8bFJ+fJ6798iZVXAM4ihRANCAATiEQu4g2trotWkJTdF23FN22uH49/i
        EyVY5JACVMieBThyCp9YGlcStFdc+9XTAvAHHhYdqXgq1STiSqPIYpVf
        -----END PRIVATE KEY-----
        """

    /// Returns the configuration of a server that refuses clients without a certificate of the authority.
    static func serverConfiguration(maximumTLSVersion: TLSVersion? = nil) throws -> TLSConfiguration {
        var tls = try TestCertificates.serverConfiguration()
        tls.certificateVerification = .noHostnameVerification
        tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(authority.utf8)))
        tls.maximumTLSVersion = maximumTLSVersion
        return tls
    }
}
