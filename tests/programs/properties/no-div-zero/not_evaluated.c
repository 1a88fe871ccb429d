// expect: true
// sizeof does not compute its operand, && only the left one.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int size = sizeof(1 / a);
    return size > 0 || 1 / a;
}
