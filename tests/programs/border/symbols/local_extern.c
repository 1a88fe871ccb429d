// expect: true
// extern inside a function names the file's variable, not the local one.
extern void reach_error(void);
int value = 1;

int main(void)
{
    int value = 2;
    {
        extern int value;
        if (value != 1)
            reach_error();
    }
    return value - 2;
}
