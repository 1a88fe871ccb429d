// expect: true
// A buffer for each activation, with a size that the depth gives.
static int digits(unsigned n, char *out, int room)
{
    char own[4];
    own[0] = '0' + n % 10;
    int used = 0;
    if (n >= 10)
        used = digits(n / 10, out, room - 1);
    if (used < room)
        out[used++] = own[0];
    return used;
}
int main(void)
{
    char text[4];
    return digits(123, text, 4);
}
