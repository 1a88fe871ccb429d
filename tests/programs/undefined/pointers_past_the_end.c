// expect: pure false, havoc false
// Pointers that must not be followed may be passed all the same: behind the end, and no pointer at all.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void fill(int *from, int *to);

int main(void)
{
    int a[4] = { 1, 2, 3, 4 };
    int *p = malloc(4 * sizeof *p);
    if (!p)
        return 0;
    p[3] = 1;
    fill(a + 4, p + 4);
    fill((int *)-1, (int *)1);
    if (a[0] == 1 && p[3] == 1)
        reach_error();
    return 0;
}
