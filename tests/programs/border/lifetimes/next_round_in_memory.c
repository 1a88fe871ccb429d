// expect: true
// property: valid-deref
// What is left in memory is the address of the last round's variable.
struct keeper { int *kept; };
static void keep(struct keeper *k, int *p) { k->kept = p; }

int main(void)
{
    struct keeper k = {0};
    for (int i = 0; i < 3; i++) {
        int a = 0;
        keep(&k, &a);
        *k.kept = 1;
    }
    return 0;
}
