// expect: false
// The end is written one cell too early.

extern void reach_error(void);


int main(void) {
    char s[256];
    for (int i = 0; i < 255; i++)
        s[i] = 'x';
    s[254] = 0;
    for (int i = 0; i < 255; i++)
        if (s[i] == 0)
            reach_error();
    return 0;
}
