// bytes: unreach-call false, valid-deref true
// As base64.c, but two digits of the alphabet are the same.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456788+/";

static int value_of(char digit) {
    int i;
    for (i = 0; i < 64; i++)
        if (digits[i] == digit)
            return i;
    return -1;
}

static void encode(const unsigned char *from, int length, char *to) {
    int i;
    for (i = 0; i < length; i += 3) {
        unsigned long word = (unsigned long)from[i] << 16 | (unsigned long)from[i + 1] << 8 | from[i + 2];
        to[0] = digits[word >> 18 & 63];
        to[1] = digits[word >> 12 & 63];
        to[2] = digits[word >> 6 & 63];
        to[3] = digits[word & 63];
        to += 4;
    }
    *to = 0;
}

static int decode(const char *from, unsigned char *to) {
    int count = 0;
    while (*from) {
        unsigned long word = 0;
        int i;
        for (i = 0; i < 4; i++) {
            int digit = value_of(from[i]);
            if (digit < 0)
                return -1;
            word = word << 6 | (unsigned long)digit;
        }
        to[count] = (unsigned char)(word >> 16);
        to[count + 1] = (unsigned char)(word >> 8);
        to[count + 2] = (unsigned char)word;
        count += 3;
        from += 4;
    }
    return count;
}

int main(void) {
    unsigned char plain[3], back[3];
    char text[5];
    int i;
    for (i = 0; i < 3; i++)
        plain[i] = __VERIFIER_nondet_uchar();
    encode(plain, 3, text);
    if (decode(text, back) != 3)
        reach_error();
    for (i = 0; i < 3; i++)
        if (plain[i] != back[i])
            reach_error();
    return 0;
}
