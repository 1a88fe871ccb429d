// expect: false or unknown
// options: --entry get
// native: extern int get(int i); int main(void) { return get(1) == 5; }
// not shown by gcc: somebody else has to write the variable
// A variable has any value at an entry.
extern void reach_error(void);
int table[2] = {3, 4};

int get(int i)
{
    if (i != 0 && i != 1)
        return 0;
    if (table[i] < 3)
        reach_error();
    return table[i];
}
