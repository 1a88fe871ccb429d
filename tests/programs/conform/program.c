/* A whole program: globals start as they are initialised. */
int ready = 1;
int count;

void ping(void);
static void helper(int n)
{
    if (n > 0) {
        ping();
    }
    count = count + 1;
}

int main(void)
{
    if (ready) {
        helper(3);
    }
    helper(count - 1);
    return count;
}
