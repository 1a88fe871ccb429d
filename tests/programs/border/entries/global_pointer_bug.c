// expect: false or unknown
// options: --entry touch
// native: extern int *place; extern void touch(int *); int main(void) { int x = 0; place = &x; touch(&x); return 0; }
// The pointer of the file and the parameter may be the same.
extern void reach_error(void);
int *place;

void touch(int *at)
{
    if (!at || !place)
        return;
    *place = 1;
    *at = 2;
    if (*place != 1)
        reach_error();
}
