// expect: false
// The second pass leaves one out.

extern void reach_error(void);


int main(void) {
    int a[350];
    for (int i = 0; i < 350; i++)
        a[i] = 9;
    for (int i = 0; i < 350; i++)
        a[i] = a[i] + (i != 349);
    for (int i = 0; i < 350; i++)
        if (a[i] != 10)
            reach_error();
    return 0;
}
