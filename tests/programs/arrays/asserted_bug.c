// expect: false
// The last element fails.

extern void reach_error(void);

static void check(int condition) {
    if (!condition)
        reach_error();
}

int main(void) {
    int a[100000];
    for (int i = 0; i < 100000; i++)
        a[i] = 7;
    for (int i = 0; i < 100000; i++)
        a[i] = 8;
    for (int i = 0; i < 100000; i++)
        check(a[i] == 8 && i != 99999);
    return 0;
}
