// SPDX-License-Identifier: Apache-2.0

/// A certificate authority for tests, and a server certificate with an RSA key for 127.0.0.1 and localhost.
///
/// They protect nothing: no machine trusts the authority, and its key was deleted. Made with `openssl ca`, valid from
/// 2020 to 2120.
enum TestRSACertificates {
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBgTCCASegAwIBAgIBATAKBggqhkjOPQQDAjAnMSUwIwYDVQQDDBxTYWxseXBv
        cnQgdGVzdCBSU0EgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
        MDAwMDAwWjAnMSUwIwYDVQQDDBxTYWxseXBvcnQgdGVzdCBSU0EgYXV0aG9yaXR5
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE2XdpdgZdzs0Fs8AVZVvQANOVekg7
        A+rXV4ffkKqSlUJd8dGBfrqt/2+W4oShmSkONTuJoeCgcmJfHduDtXnjyKNCMEAw
        DwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8EBAMCAgQwHQYDVR0OBBYEFF4HleAV
        KYQUjVLRPh+F0sU4j/1vMAoGCCqGSM49BAMCA0gAMEUCIBNZEnelWrQVcSj0/SpT
        9HoYYiwnsFC7YZA1iNGTYc5/AiEA+WB2z02j0pmyfdZqPOAhb9wPEK3RC+RBP+Cb
        36amm5A=
        -----END CERTIFICATE-----
        """

    static let server = """
        -----BEGIN CERTIFICATE-----
        MIICdTCCAhugAwIBAgIBAjAKBggqhkjOPQQDAjAnMSUwIwYDVQQDDBxTYWxseXBv
        cnQgdGVzdCBSU0EgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAx
        MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwggEiMA0GCSqGSIb3DQEBAQUA
        A4IBDwAwggEKAoIBAQDCzrKm36JID4l66kmgQPg/dUn3gGNeSfTyeFbu559sHIDo
        eSSobJY5p3648Wg4Iy0xqnAxomyuxguBwst1NffT3CCAu4Nm5fryX8mb5FSas9L7
        WCL5rqEokMAuzXgRC5+9ruqJD5nHcY/pFN2RDntGlAJ7ptUxue6NkW0s1zniNR0Z
        1oVeRk5wu6ZjvNe7bvaoobzCLMeHS5RDUfKBgaaYC8mS76jRLxtVpomD8CZJoxe8
        h48yIZIJPp3CppjZ3K0VjEDsTHu0gN8xX639Zyh7tG/zninCOGAl0JGiFHqf6Uct
        NaH9KZJGtHt+QVFyFo3BhpmDp/YiSHw3xvfwwIrZAgMBAAGjfjB8MBoGA1UdEQQT
        MBGCCWxvY2FsaG9zdIcEfwAAATATBgNVHSUEDDAKBggrBgEFBQcDATAJBgNVHRME
        AjAAMB0GA1UdDgQWBBTfWAT356KD1XiZlr+nhM+LvUjyPjAfBgNVHSMEGDAWgBRe
        B5XgFSmEFI1S0T4fhdLFOI/9bzAKBggqhkjOPQQDAgNIADBFAiEAmTrBNIFca5O+
        ojBNsRDfYrXMxlHu2b9tdEipA4coIaQCIGS7IuHnizXxxRK2bNDJ2pxQdzicyT84
        mXFtTuhRmQ6X
        -----END CERTIFICATE-----
        """

    static let serverKey = """
        -----BEGIN PRIVATE KEY-----
        MIIEuwIBADANBgkqhkiG9w0BAQEFAASCBKUwggShAgEAAoIBAQDCzrKm36JID4l6
        6kmgQPg/dUn3gGNeSfTyeFbu559sHIDoeSSobJY5p3648Wg4Iy0xqnAxomyuxguB
        wst1NffT3CCAu4Nm5fryX8mb5FSas9L7WCL5rqEokMAuzXgRC5+9ruqJD5nHcY/p
        FN2RDntGlAJ7ptUxue6NkW0s1zniNR0Z1oVeRk5wu6ZjvNe7bvaoobzCLMeHS5RD
        UfKBgaaYC8mS76jRLxtVpomD8CZJoxe8h48yIZIJPp3CppjZ3K0VjEDsTHu0gN8x
        X639Zyh7tG/zninCOGAl0JGiFHqf6UctNaH9KZJGtHt+QVFyFo3BhpmDp/YiSHw3
        xvfwwIrZAgMBAAECggEAA/q6cge39i5hEdJ24g/pskwoUGa+QOcUWp6kMfmny0rS
        xEzzN4COWgumnksKJLltOyo+4/isLS7M/d/XjaOmVhzVSiPqdX/lri1QPj++DbH2
        MZ21izGqx5wbXOlkFj8NSo/n6RhZPRaACNQdCZFI6eJsoY+BI+SnL5ukpgmYfFst
        xYMBDKeR5LS0eFSKq9qgHZbtVxs7bOhTLrgggs7DRSuGRRBEtz5RIaVG0bfJF81c
        v6g/WF774gScOKgLyjuVQOaNTCT9gFPPuNa7EmKU1kHxyGXeIQ+lui7ZOVd9oHIJ
        YYrqfdvIzHk6QcwzjG16cCC/9r7MRGBS/b2lZj3xwQKBgQDnpykNLsdLGuLTG0iD
        761iq3wMGiKXDCzE6O9yjxgCKZfrX6gxLdnMH2uzJ5t8IMYVI/hwsGbSiMCe3EPW
        ICewMi93YMkAAqb7xDScATByfrcEEr5Y6KjzqGuS66vKek/6YT6wq38CvS4oj/tz
        hZUCngH9jV120YbVxrZyFfN6eQKBgQDXSCxh1HN7j91JEduipcoX5EexgrCMJU8T
        nH0ho3sTl7+OWQnXDl04p5hN7IpvPwGGJ1sO5j/7ZvcW/an0Jq4/9nlilOBXimY8
        mnMI+b8O8BOMOastLSrhgMYzsVkoP0l/XC+JxFjtF3R/ALvhiEzKpv7tO5tuHq+z
        Vjgghx97YQKBgHuncDNYQAuoO2Hi02+R9eSQkzPGk6Y7Wn51tLNbDL7CwxRiSF6Q
        Eg1yzEOipc25lOLeA5TrpMdHNkLWYuOe4HCeKVY49LIruET2M/r+a4UCfOEQvEir
        UNxXj6yqXlZDugN1+0fFE5Q7tbLzQI8mxCbUf02AM17kc2wTmXoGm6RJAoGBALr3
        Vnw8O3NDVWaBWOOf4qzvOAiFPPjp6gxZKx+M0HYKo3VoBLC+K93pR8/dL7k/2f39
        rgp5k3WuTces0+5TrZ+lWnRwYYoFi5b0eBWCeRjrDb8J0o0wnf4sjXYVfx4CIL24
        fRzD5os6hJVMON+9NRwG/n1f+DQh+Gvi5GnzkDbhAn9BoBQG3zf3iyjOrLCKI+5W
        tZp82/vAmvGrXMsCQyPvVqbA/+BezKRNgCBxksfk7+4m+++8WtvfCZQ++CjVBMI8
        ys+fyu0BCyCe2IWs7Q4hm4qHxxPg9oY9DlIP6GZyA/VM2fpDfHCw49Fi5Wiz2dXv
        rVKxmdrgvA7S242QKDMk
        -----END PRIVATE KEY-----
        """
}
