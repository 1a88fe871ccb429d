// expect: unknown — nothing is known of what lies behind a write through a bad pointer.
extern void reach_error(void);

int main(void)
{
    int *p = (int *)1;
    *p = 5;
    reach_error();
    return 0;
}
