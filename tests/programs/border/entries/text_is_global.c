// expect: true
// options: --entry set
// native: extern int limit; extern void set(char *at); int main(void) { set((char *)&limit); return 0; }
// The local variable is nobody else's.
extern void reach_error(void);
int limit = 1;

void set(char *at)
{
    int mine = 1;
    if (!at)
        return;
    limit = 1;
    *at = 7;
    if (mine != 1)
        reach_error();
}
