// SPDX-License-Identifier: Apache-2.0

/// Private keys for tests, made with OpenSSL for this file alone.
enum ClientKeys {
    /// RSA of 2048 bits, PKCS#8.
    static let rsa = """
        -----BEGIN PRIVATE KEY-----
        MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDEf5m4GFx36zFi
        O0RK+79DwuVukR/hpIDF2Hr0/uWUb/7jIEyqx9vAx8lAKfbP+ah2YaOncaHJyMI0
        XekUR6rXAhM6RwTVd7zqSKATtXuXiGVcEbGjn2WECWwcNQhGQzFogV7T6iQVPNO7
        9Alni1dbATmGn8UPxEe6hI+WH4GJXvYyTNCaiIPNUz8L1hVkClvkWdmUhzlTelz1
        ckmCWejEbJmcY+xziB3Vk4LoNaAq4wky4rGcPXy/hJTT6ct1JKzqQQGaC2o2NX6s
        I8xI7V3rJOA2u/1OYvipxCF74FQpbI7sGL5F29cb/w9/Xq5309vrCPwtUjbm1iox
        SkdKDtuBAgMBAAECggEAEIHuZl0tj37OWZlEWyRGZNPqYF0ywiBcF8LgTtVccMRD
        3ngn2K+3khIhTGb6GW4OLVEgkCrnU5iuWqXftINyImPwkj8bHy/S9WpVKwgJB6mU
        ElBY4w0Qrdn4yhnZGxtT+u/mCS7XXy1gAEnibF90CZd9v1s2u+SvvfHwT2/60Du9
        6d5wMwkpv9Ak1SBPJduuj9hpx9CKIg54iJZWcajmY8Gn+3or94EFmBzHFdGGGRmg
        odaIsxksoMD+bHAemiPYMNmP6H+zlt0P9wnWit4hM967wBqgO/bNrjNF4Km2/luG
        pZyAPfe3cYQwA+tog9RXM+hdJrvhQKhc1mPnFWeCjQKBgQDzvM142Mf5dYvzRJhz
        tGtbWrDDtNyQQEC4x99qY6B6V1jNHh46nDueBDP1XHgtexOtocV0ORzMUhcT+68O
        ge1MrIz3h48XfAv96I43tGzDbs70rmquU8eEjbsVGvcMkJ8DVkC+ZavB2G/7KOzZ
        BF7MONlKJX5NTq17FQ+dLhkeawKBgQDOYmLWLViY7cDpTKawE7UNrAnxFWMuP1LA
        6SqTe++ZRCxAzvQt6VscRp9ubUF9Skmgr+NLWoQZILV5Jwh09bTXiXWSyaRiasao
        PFj7ihI3Cv46UoiQGDV8RwRJVv7HCxXRVzxVIWUSNxlmgmVqC84yE8IhBAN27/rM
        hhHVRpIQwwKBgQCChmEijjTJCoHfzKQ3ki7LxU1UAM79EOuYCLFEMAYIfi436iEW
        EgR7IpUQmGxjLr3jBfbPvqYFZRCmyul8Q2fo356+EAI4+V0SpC9E9YIpRnXd4mmO
        4Z6/BYdiTgZu3CPLja0uSRQpwtZ1Ef2EWirKAseaRWnVzIRqnWS3L7CT8QKBgAhy
        Kk1NicSoZi6l/mRSSiSHF9kP4QExgjd201E5zzJcgdsdHQ0L8biUg03HltiDw8OZ
        rxmUWLeWiRauLEBtFbuEWpVpPxrv97VG0vVoTxqFjqXgXspW00mEtn4x2zdWEsyA
        X220cihurNFvIKtYVFXkTRuAyIuDgqYADpbFzpB1AoGAVtG5DFoNMYT2Ab5DiJ8T
        G2QEH/r1XX+7br6dG9YSXvAMNLsrzgsMBtX0AJRKptd6pyOR9vOHkdt/IOsnjg+T
        zfdZ1nArE6UBzGgva6aqpZoccwgdQW/iH4yzXtNw0maUR6SJQGtjYyepI5EH5ClD
        wgauphkpTbMvCuDXge//9GA=
        -----END PRIVATE KEY-----
        """

    /// The modulus of ``rsa``, in base64url.
    static let rsaModulus = """
        xH-ZuBhcd-sxYjtESvu_Q8LlbpEf4aSAxdh69P7llG_-4yBMqsfbwMfJQCn2z_modmGjp3GhycjCNF3pFEeq1wITOkcE1Xe8\
        6kigE7V7l4hlXBGxo59lhAlsHDUIRkMxaIFe0-okFTzTu_QJZ4tXWwE5hp_FD8RHuoSPlh-BiV72MkzQmoiDzVM_C9YVZApb\
        5FnZlIc5U3pc9XJJglnoxGyZnGPsc4gd1ZOC6DWgKuMJMuKxnD18v4SU0-nLdSSs6kEBmgtqNjV-rCPMSO1d6yTgNrv9TmL4\
        qcQhe-BUKWyO7Bi-RdvXG_8Pf16ud9Pb6wj8LVI25tYqMUpHSg7bgQ
        """

    /// RSA of 1024 bits, PKCS#1.
    static let shortRSA = """
        -----BEGIN RSA PRIVATE KEY-----
        MIICXQIBAAKBgQC9NCl1qXPP/gFrXoZELz+11fNK/WxgFP9ZCjCsljMHtFSIv5hH
        nTgc1cEX5Ed9yKv5/YbGiRfZHk3b1r8vOUT+g1+SW4FYSHE3dXDnCcABC+XvjKeh
        oEFJl8BJpi3nw3TCoudEyO9ETbYBinEmh/leSgrZkKQ2n8ahIoIKmssYUwIDAQAB
        AoGAUZd7AZivrtRU/F5o/GJ70QiQwJgE8nJbo6Q3VVX4b6wegFJPcyKjnhu4B3uU
        MPQm5cmlI1zfgewFm3ZCQDUsQO9Qhb7Z8tXdvuR0y1xtzynNECAJQJspm9VZTg5r
        Kdjg71pAgOITOgSopY5qsXBwva89QSfE2qP+GebP2zvG8uECQQDsIuiYFjMxnXAI
        8VPxj2pdSxzQQUL2l4vuTqot1kRtOicCbhtHnWjLJLDGcB6PL8rfpEj5aoDFl9Wb
        NwjDRkaJAkEAzR6UpUIBfhWWmU1y33Bzr2G4uq86MOqpCXet21q7xnOit7e5poeI
        7/vDqsQSSayyjru1FelzrysQZeOQM8hw+wJBAJx33Su5uh5sNiqWzorH/zDmbqdI
        Nzjy3lQAaB+LVTgTSnn/v6/Ki//fxgsXjAhRINrkHz615bIIlBAPfYz3ahECQHAr
        fABPcz9/EMcu+lXESg8rsnisoHblrKDXyMR+/tbMn7w2BZlS3wjVti/pX1LY1SCG
        98VO0AuH0kTVyCL5RwcCQQClNQ74zIuLnqY1sZE6uIyJUNANT3gZbCR1yK25bWjd
        GpB7DYhcgPkTGtAQ/5lrgN5sRmjFaknpIrQRiT/T+RKJ
        -----END RSA PRIVATE KEY-----
        """

    /// P-256, SEC1, with the curve's parameters before it, as OpenSSL writes it.
    static let sec1 = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIEYAo5peeq1Gd5Xa80CEZdwHkoqe+D+h9kTcZSV/rau6oAoGCCqGSM49
        AwEHoUQDQgAEqzVyrePKvGKPVnTIzJ+sRdoWXr/FD8QN/OX3jlVTVHUc6rMD6zxc
        ZUQBCNsnKVZY+3Cm6a6FhYszRSIZw9g6lA==
        -----END EC PRIVATE KEY-----
        """
}
