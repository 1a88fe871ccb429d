// expect: false
// The buffer of the caller is one digit short.
static int digits(unsigned n, char *out)
{
    char own[4];
    own[0] = '0' + n % 10;
    int used = 0;
    if (n >= 10)
        used = digits(n / 10, out);
    out[used++] = own[0]; // bad
    return used;
}
int main(void)
{
    char text[2];
    return digits(123, text);
}
