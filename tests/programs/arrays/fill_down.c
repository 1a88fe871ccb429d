// expect: true
// The loop goes down.

extern void reach_error(void);


int main(void) {
    int a[300];
    for (int i = 299; i >= 0; i--)
        a[i] = -1;
    for (int i = 0; i < 300; i++)
        if (a[i] >= 0)
            reach_error();
    return 0;
}
