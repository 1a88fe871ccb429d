// expect: true
// property: valid-deref
// The variable of the loop is used inside of it.

int main(void)
{
    int *p = 0, r = 0;
    for (int i = 0; i < 2; i++) {
        p = &i;
        r += *p;
    }
    return r;
}
