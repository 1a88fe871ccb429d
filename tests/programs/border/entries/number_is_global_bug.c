// expect: false or unknown
// options: --entry set
// native: extern int total; extern void set(int *at); int main(void) { set(&total); return 0; }
// A pointer to int may lead to a variable of the file.
extern void reach_error(void);
int total;

void set(int *at)
{
    if (!at)
        return;
    total = 3;
    *at = 9;
    if (total != 3)
        reach_error();
}
