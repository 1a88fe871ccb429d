// expect: true
// A global array begins as zeros.

extern void reach_error(void);


int a[2000];

int main(void) {
    for (int i = 0; i < 2000; i++)
        if (a[i] != 0)
            reach_error();
    return 0;
}
