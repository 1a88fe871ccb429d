// expect: false
// A constant table of five entries, summed but for its last.

extern void reach_error(void);

static const int table[5] = {3, 1, 4, 1, 5};

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += table[i];
    if (sum != 14)
        reach_error();
    return 0;
}
