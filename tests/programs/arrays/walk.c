// expect: true
// A pointer walks over the array.

extern void reach_error(void);


int main(void) {
    int a[1000];
    for (int *p = a; p < a + 1000; p++)
        *p = 5;
    for (int i = 0; i < 1000; i++)
        if (a[i] != 5)
            reach_error();
    return 0;
}
