// expect: false or unknown
// property: valid-deref
// native: int table[2] = {1, 2};
// A table that is defined elsewhere has an end that this file does not know.
extern int table[];

int main(void)
{
    return table[4];
}
