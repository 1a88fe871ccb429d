// expect: false or unknown
// property: valid-deref
// options: --entry sum
// native: extern int sum(const int *v, int n); int main(void) { int one = 1; return sum(&one, 4) == 77; }
// A parameter need not lead to as many elements as are read.

int sum(const int *v, int n)
{
    int i, s = 0;
    if (!v || n != 4)
        return 0;
    for (i = 0; i < n; i++)
        s += v[i];
    return s;
}
