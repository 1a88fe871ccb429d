// expect: true or unknown
// The last byte of the array is written.
extern void reach_error(void);
struct record {
    char name[2];
    char mark;
};

int main(void)
{
    struct record r = {"a", 0};
    char *p = r.name;
    p[1] = 1;
    if (r.mark != 0)
        reach_error();
    return 0;
}
