// expect: false or unknown
// options: --entry fill
// native: struct slot { int *at; }; extern int level; extern void fill(struct slot s); int main(void) { struct slot s = {&level}; fill(s); return 0; }
// A pointer in a structure that is passed may lead to a variable of the file.
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
    if (level != 0)
        reach_error();
}
