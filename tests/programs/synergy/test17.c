// expect: true
// Figure 9: preimages alone split for ever (y < 0, y + x < 0, y + 2x < 0, ...).
extern void reach_error(void);

int main(void) {
    int x = 0, y = 0;
    while (y >= 0)
        y = y + x;
    reach_error();
    return 0;
}
