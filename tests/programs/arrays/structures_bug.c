// expect: false
// The field is written through the neighbour.

extern void reach_error(void);


struct pair {
    int key, value;
};

int main(void) {
    struct pair p[128];
    for (int i = 0; i < 128; i++) {
        p[i].key = i;
        p[i].value = -1;
        if (i == 77)
            (&p[i].value)[-1] = 0, p[i - 1].value = 0;
    }
    for (int i = 0; i < 128; i++)
        if (p[i].value != -1)
            reach_error();
    return 0;
}
