// expect: false
// One step is none.

extern void reach_error(void);


int main(void) {
    int a[80];
    int x = 0;
    for (int i = 0; i < 80; i++) {
        a[i] = x;
        if (i != 40)
            x = x + 1;
    }
    for (int i = 0; i + 1 < 80; i++)
        if (a[i] >= a[i + 1])
            reach_error();
    return 0;
}
