// expect: false
// Both move in one round: with an odd number of cells between them they pass.

extern void reach_error(void);

enum { SIZE = 5 };

int main(void)
{
    char cells[SIZE];
    char *low = cells, *high = cells + SIZE;
    while (low != high) {
        low++;
        high--;
        if (low > high)
            reach_error();
    }
    return 0;
}
