// expect: true
// Two cells in each round.

extern void reach_error(void);


int main(void) {
    int a[600];
    for (int i = 0; i < 300; i++) {
        a[2 * i] = 2;
        a[2 * i + 1] = 4;
    }
    for (int i = 0; i < 600; i++)
        if (a[i] != 2 && a[i] != 4)
            reach_error();
    return 0;
}
