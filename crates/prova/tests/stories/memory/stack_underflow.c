// check: --property valid-deref
static int stack[4], top;
static void push(int value)
{
    if (top < 4)
        stack[top++] = value;
}
static int pop(void)
{
    return stack[--top];
}
int main(void)
{
    push(1);
    pop();
    return pop();
}
