// expect: false
// One cell is written.

extern void reach_error(void);


int a[2000];

int main(void) {
    a[1999] = 1;
    for (int i = 0; i < 2000; i++)
        if (a[i] != 0)
            reach_error();
    return 0;
}
