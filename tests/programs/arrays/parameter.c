// expect: true
// A function fills what it is given.

extern void reach_error(void);


static void fill(int *a, int n, int x) {
    for (int i = 0; i < n; i++)
        a[i] = x;
}

int main(void) {
    int a[640], b[640];
    fill(a, 640, 3);
    fill(b, 640, 4);
    for (int i = 0; i < 640; i++)
        if (a[i] != 3 || b[i] != 4)
            reach_error();
    return 0;
}
