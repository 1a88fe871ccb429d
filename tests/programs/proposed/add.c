// function: add
// proved: yes
// has: prova_requires(a <= 
// has: prova_requires(b <= 
// Sums of signed numbers overflow both ways.
int add(int a, int b)
{
    return a + b;
}
