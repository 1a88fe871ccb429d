// expect: false
// extern inside a block names the file's variable, which is not the local one.
extern void reach_error(void);
int value = 1;

int main(void)
{
    int value = 2;
    {
        extern int value;
        if (value != 2)
            reach_error();
    }
    return value - 2;
}
