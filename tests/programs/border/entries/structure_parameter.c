// expect: true or unknown
// options: --entry fill
// native: struct slot { int *at; }; extern int level; extern void fill(struct slot s); int main(void) { struct slot s = {&level}; fill(s); return 0; }
// What is written last is read.
extern void reach_error(void);
struct slot {
    int *at;
};
int level;

void fill(struct slot s)
{
    if (!s.at)
        return;
    level = 0;
    *s.at = 8;
    level = 0;
    if (level != 0)
        reach_error();
}
