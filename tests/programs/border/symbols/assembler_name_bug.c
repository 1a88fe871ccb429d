// expect: false or unknown
// Declared under another name by its assembler name: it is one variable, and changes.
extern void reach_error(void);
int counter = 1;
extern int twin __asm__("counter");

int main(void)
{
    twin = 5;
    if (counter == 5)
        reach_error();
    return 0;
}
