// SPDX-License-Identifier: Apache-2.0

/// Server certificates for the key of ``TestCertificates``, each with a property of its own.
///
/// They protect nothing: no machine trusts the authority, and its key was deleted. Made with `openssl ca`.
enum TestFaultyCertificates {
    /// The authority of the certificates below.
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBhDCCASugAwIBAgIBATAKBggqhkjOPQQDAjApMScwJQYDVQQDDB5TYWxseXBv
        cnQgb3RoZXIgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAx
        MDEwMDAwMDBaMCkxJzAlBgNVBAMMHlNhbGx5cG9ydCBvdGhlciB0ZXN0IGF1dGhv
        cml0eTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPpkrHpDEFcX0/MW03+aCxjl
        17JPU1EvdzrgeL18uKoqLhj8mus+Qm0Pmc6DuzPLE8d57Sha9JjAuOEYhISVlnuj
        QjBAMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBTQ
        xv+9QkwOsoAo9XO1vQajB+2dmjAKBggqhkjOPQQDAgNHADBEAiAkCss+9wBV6Uzn
        x9cQKGpHlz9MpEXxUGRj+tdOQREIGAIgfWLs0zbFOrtYtvAK8yNFN3f6Aq1CEoTR
        ypcDHG7LjI4=
        -----END CERTIFICATE-----
        """

    /// A certificate for localhost that expired in 2021.
    static let expired = """
        -----BEGIN CERTIFICATE-----
        MIIBqTCCAVCgAwIBAgIBAjAKBggqhkjOPQQDAjApMScwJQYDVQQDDB5TYWxseXBv
        cnQgb3RoZXIgdGVzdCBhdXRob3JpdHkwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAx
        MDAwMDAwWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAASqlVEFlVKAfilXbYOJPCmpQ4fICUbmw+poCMbIOL3z8N7L1ICRN7IM
        VyPzQBrjfue9ZRafrigkKHSgZWblM0kvo34wfDAaBgNVHREEEzARgglsb2NhbGhv
        c3SHBH8AAAEwEwYDVR0lBAwwCgYIKwYBBQUHAwEwCQYDVR0TBAIwADAdBgNVHQ4E
        FgQUP5ft+w6qDRKv1va6hHOu2ekFJiswHwYDVR0jBBgwFoAU0Mb/vUJMDrKAKPVz
        tb0GowftnZowCgYIKoZIzj0EAwIDRwAwRAIgG3Yu+jdQtKUtGO8nkLT7Qi587huB
        elUACXc4Y6pNRWgCIFn0IG+IUboW5CqP0CDi/YBW+anWFPDo1ZWV46qpJjg9
        -----END CERTIFICATE-----
        """

    /// A certificate for localhost that is valid from 2119.
    static let notYetValid = """
        -----BEGIN CERTIFICATE-----
        MIIBrjCCAVSgAwIBAgIBAzAKBggqhkjOPQQDAjApMScwJQYDVQQDDB5TYWxseXBv
        cnQgb3RoZXIgdGVzdCBhdXRob3JpdHkwIhgPMjExOTAxMDEwMDAwMDBaGA8yMTIw
        MDEwMTAwMDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYI
        KoZIzj0DAQcDQgAEqpVRBZVSgH4pV22DiTwpqUOHyAlG5sPqaAjGyDi98/Dey9SA
        kTeyDFcj80Aa437nvWUWn64oJCh0oGVm5TNJL6N+MHwwGgYDVR0RBBMwEYIJbG9j
        YWxob3N0hwR/AAABMBMGA1UdJQQMMAoGCCsGAQUFBwMBMAkGA1UdEwQCMAAwHQYD
        VR0OBBYEFD+X7fsOqg0Sr9b2uoRzrtnpBSYrMB8GA1UdIwQYMBaAFNDG/71CTA6y
        gCj1c7W9BqMH7Z2aMAoGCCqGSM49BAMCA0gAMEUCIQCzEl6NbtA5znd6AQ453b14
        yEBsL+w/LUIGctxuImMbqwIgNFrIkFc//3+8L82A54yshem1kj4K9vN7k5+1IdjH
        ScY=
        -----END CERTIFICATE-----
        """

    /// A certificate for `server.example` alone.
    static let otherName = """
        -----BEGIN CERTIFICATE-----
        MIIBqzCCAVGgAwIBAgIBBDAKBggqhkjOPQQDAjApMScwJQYDVQQDDB5TYWxseXBv
        cnQgb3RoZXIgdGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAx
        MDEwMDAwMDBaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqG
        SM49AwEHA0IABKqVUQWVUoB+KVdtg4k8KalDh8gJRubD6mgIxsg4vfPw3svUgJE3
        sgxXI/NAGuN+571lFp+uKCQodKBlZuUzSS+jfTB7MBkGA1UdEQQSMBCCDnNlcnZl
        ci5leGFtcGxlMBMGA1UdJQQMMAoGCCsGAQUFBwMBMAkGA1UdEwQCMAAwHQYDVR0O
        BBYEFD+X7fsOqg0Sr9b2uoRzrtnpBSYrMB8GA1UdIwQYMBaAFNDG/71CTA6ygCj1
        c7W9BqMH7Z2aMAoGCCqGSM49BAMCA0gAMEUCIQCee6ipvrWVdN6lazdx2P3SvelV
        0WprzCq/75312wHaNwIgQBTCk8OOGCWXb73yQiaayma0lB8FKfBprmKBLUFREq0=
        -----END CERTIFICATE-----
        """

    /// A certificate for localhost that no authority issued.
    static let selfSigned = """
        -----BEGIN CERTIFICATE-----
        MIIBdjCCARygAwIBAgIBBTAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
        c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
        CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABKqVUQWVUoB+KVdt
        g4k8KalDh8gJRubD6mgIxsg4vfPw3svUgJE3sgxXI/NAGuN+571lFp+uKCQodKBl
        ZuUzSS+jXTBbMBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATATBgNVHSUEDDAK
        BggrBgEFBQcDATAJBgNVHRMEAjAAMB0GA1UdDgQWBBQ/l+37DqoNEq/W9rqEc67Z
        6QUmKzAKBggqhkjOPQQDAgNIADBFAiEArpas+dR3suK8Eg8VDe5t7SHB0h3K3cR8
        L0/K/8eOemgCIEAOtzT9OxJ3BnJ0Y8DHXiFmj1h+7YTy12v0/k6m/khv
        -----END CERTIFICATE-----
        """
}
