// function: set
// proved: yes
// has: prova_requires(prova_valid(to, 
// has: prova_assigns(prova_range(to, 
void set(int *to, int value)
{
    *to = value;
}
