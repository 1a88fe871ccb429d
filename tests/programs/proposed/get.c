// function: get
// proved: yes
// has: prova_requires(prova_valid_read(of, 
// lacks: prova_requires(from <= 
struct pair {
    int first;
    int second;
};

int get(const struct pair *of)
{
    return of->second;
}
