// expect: false
// A field of a packed structure lies anywhere, also in memory that is allocated.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);

struct __attribute__((packed)) record {
    char kind;
    int value;
};

int main(void)
{
    struct record *record = malloc(sizeof(struct record));
    if (!record)
        return 0;
    record->value = __VERIFIER_nondet_int();
    if (record->value == 123456)
        reach_error();
    return 0;
}
