// bytes: unreach-call true, valid-deref false
// As sha256.c, but the end of the padding is looked for one byte too late.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

typedef unsigned int word;

static const word constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

struct hash {
    word state[8];
    unsigned char block[64];
    unsigned int filled;
    unsigned long total;
};

static word turned(word x, int by) { return x >> by | x << (32 - by); }

static void mix(struct hash *hash) {
    word w[64], s[8];
    int i;
    for (i = 0; i < 16; i++)
        w[i] = (word)hash->block[4 * i] << 24 | (word)hash->block[4 * i + 1] << 16 |
               (word)hash->block[4 * i + 2] << 8 | (word)hash->block[4 * i + 3];
    for (i = 16; i < 64; i++) {
        word a = turned(w[i - 15], 7) ^ turned(w[i - 15], 18) ^ w[i - 15] >> 3;
        word b = turned(w[i - 2], 17) ^ turned(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    for (i = 0; i < 8; i++)
        s[i] = hash->state[i];
    for (i = 0; i < 64; i++) {
        word high = turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25);
        word choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
        word first = s[7] + high + choice + constants[i] + w[i];
        word low = turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22);
        word majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
        int k;
        for (k = 7; k > 0; k--)
            s[k] = s[k - 1];
        s[4] += first;
        s[0] = first + low + majority;
    }
    for (i = 0; i < 8; i++)
        hash->state[i] += s[i];
}

static void begin(struct hash *hash) {
    static const word first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    int i;
    for (i = 0; i < 8; i++)
        hash->state[i] = first[i];
    hash->filled = 0;
    hash->total = 0;
}

static void add(struct hash *hash, const unsigned char *data, unsigned int length) {
    unsigned int i;
    for (i = 0; i < length; i++) {
        hash->block[hash->filled++] = data[i];
        if (hash->filled == 64) {
            mix(hash);
            hash->filled = 0;
        }
    }
    hash->total += length;
}

static void end(struct hash *hash, unsigned char *digest) {
    unsigned int i = hash->filled;
    unsigned long bits = hash->total * 8;
    hash->block[i++] = 0x80;
    if (i > 57) {
        while (i < 64)
            hash->block[i++] = 0;
        mix(hash);
        i = 0;
    }
    while (i != 56)
        hash->block[i++] = 0;
    for (i = 0; i < 8; i++)
        hash->block[56 + i] = (unsigned char)(bits >> (56 - 8 * i));
    mix(hash);
    for (i = 0; i < 32; i++)
        digest[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

int main(void) {
    unsigned char data[70], digest[32];
    unsigned int i, n = __VERIFIER_nondet_uint();
    struct hash hash;
    if (n > 70)
        return 0;
    for (i = 0; i < n; i++)
        data[i] = __VERIFIER_nondet_uchar();
    begin(&hash);
    add(&hash, data, n);
    end(&hash, digest);
    return digest[0] == digest[31];
}
