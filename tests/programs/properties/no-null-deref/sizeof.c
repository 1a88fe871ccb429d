// expect: true
// sizeof does not access.

int main(void)
{
    int *p = 0;
    return sizeof(*p) == 4 && sizeof p[7] == 4;
}
