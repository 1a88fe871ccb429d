// expect: true
// options: --entry set
// native: extern int total; extern void set(int *at); int main(void) { set(&total); return 0; }
// What is written last is read.
extern void reach_error(void);
int total;

void set(int *at)
{
    if (!at)
        return;
    *at = 9;
    total = 3;
    if (total != 3)
        reach_error();
}
