// expect: true
// A field of structures in an array.

extern void reach_error(void);


struct pair {
    int key, value;
};

int main(void) {
    struct pair p[128];
    for (int i = 0; i < 128; i++) {
        p[i].key = i;
        p[i].value = -1;
    }
    for (int i = 0; i < 128; i++)
        if (p[i].value != -1)
            reach_error();
    return 0;
}
