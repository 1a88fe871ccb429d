// expect: true
// property: valid-deref
// inputs: 4
// An index inside the array of the structure.
extern int __VERIFIER_nondet_int(void);
struct record {
    char name[4];
    char mark;
};

int main(void)
{
    struct record r = {"abc", 'm'};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    return r.name[i] == 'x';
}
