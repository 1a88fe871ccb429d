// expect: unknown or false
// not shown by gcc: the next round's literal lies where the last one was
// property: valid-deref
// Each round has a literal of its own.
int main(void)
{
    int *kept = 0;
    for (int i = 0; i < 2; i++) {
        int *own = (int[2]){i, 1};
        if (i == 0)
            kept = own;
        else
            kept[0] = 1;
    }
    return kept == 0;
}
