// expect: true
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
            own[0] = 1;
    }
    return kept == 0;
}
