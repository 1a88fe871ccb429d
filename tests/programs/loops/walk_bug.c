// expect: false
// By two at a time it goes past the end of an odd number of cells.

extern void reach_error(void);

enum { SIZE = 5 };

int main(void)
{
    int cells[SIZE + 1];
    int *p = cells;
    while (p < cells + SIZE) {
        *p = 0;
        p += 2;
    }
    if (p != cells + SIZE)
        reach_error();
    return 0;
}
