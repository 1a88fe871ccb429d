// expect: unknown or false
// not shown by gcc: the next round's array lies where the last one was
// property: valid-deref
// Each round has an array of its own.
int main(void)
{
    int *kept = 0;
    for (int i = 0; i < 2; i++) {
        int a[10];
        if (i == 0)
            kept = a;
        else
            kept[0] = 1;
    }
    return kept == 0;
}
