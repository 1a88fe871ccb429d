// expect: unknown or false
// not shown by gcc: the next round's variable lies where the last one was
// property: valid-deref
// What is left in memory is the address of the last round's variable.
struct keeper { int *kept; };
static void keep(struct keeper *k, int *p) { k->kept = p; }

int main(void)
{
    struct keeper k = {0};
    for (int i = 0; i < 3; i++) {
        int a = 0;
        if (i)
            *k.kept = 2;
        keep(&k, &a);
        *k.kept = 1;
    }
    return 0;
}
