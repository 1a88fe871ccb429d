// expect: false
// One cell is changed in between.

extern void reach_error(void);


int main(void) {
    int a[500];
    for (int i = 0; i < 500; i++)
        a[i] = i;
    a[250] = 3;
    for (int i = 0; i < 500; i++)
        if (a[i] != i)
            reach_error();
    return 0;
}
