// expect: false or unknown
// options: --entry set
// native: extern int limit; extern void set(char *at); int main(void) { set((char *)&limit); return 0; }
// A pointer to char may lead to any variable.
extern void reach_error(void);
int limit = 1;

void set(char *at)
{
    int mine = 1;
    if (!at)
        return;
    limit = 1;
    *at = 7;
    if (limit != 1)
        reach_error();
}
