// expect: false
// The same where the pointer may also lead to memory that the program does not name.
extern int __VERIFIER_nondet_int(void);
extern void *__VERIFIER_nondet_pointer(void);
extern void reach_error(void);
extern void *malloc(unsigned long);

struct __attribute__((packed)) record {
    char kind;
    int value;
};

static void set(struct record *record)
{
    record->value = __VERIFIER_nondet_int();
}

int main(void)
{
    struct record *record = __VERIFIER_nondet_pointer();
    int own = __VERIFIER_nondet_int();
    if (own)
        record = malloc(sizeof(struct record));
    if (!record)
        return 0;
    set(record);
    if (own && record->value == 123456)
        reach_error();
    return 0;
}
