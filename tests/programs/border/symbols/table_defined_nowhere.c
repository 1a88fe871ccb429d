// expect: true or unknown
// property: valid-deref
// native: int table[2] = {1, 2};
// The address of a table that is defined elsewhere is taken, and nothing is read.
extern int table[];

int main(void)
{
    return table == 0;
}
