// expect: true
// options: --entry get
// native: extern int get(int i); int main(void) { return get(1) == 5; }
// A constant has its value at every entry.
extern void reach_error(void);
static const int table[2] = {3, 4};

int get(int i)
{
    if (i != 0 && i != 1)
        return 0;
    if (table[i] < 3)
        reach_error();
    return table[i];
}
