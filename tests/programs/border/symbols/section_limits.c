// expect: true or unknown
// The linker says where a section starts and stops.
extern void reach_error(void);
__attribute__((section("numbers"))) int one = 1;
__attribute__((section("numbers"))) int two = 2;
extern int __start_numbers[], __stop_numbers[];

int main(void)
{
    if (__stop_numbers - __start_numbers != 2)
        reach_error();
    return 0;
}
