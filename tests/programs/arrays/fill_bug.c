// expect: false
// The last cell is not filled.

extern void reach_error(void);


int main(void) {
    int a[1000];
    for (int i = 0; i < 999; i++)
        a[i] = 7;
    for (int i = 0; i < 1000; i++)
        if (a[i] != 7)
            reach_error();
    return 0;
}
