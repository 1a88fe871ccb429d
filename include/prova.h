/* Contracts of functions and loops, for Prova. To every compiler they are nothing at all.
 *
 * At the start of a function's body:
 *
 *     int find(const char *in, size_t length, char wanted)
 *     {
 *         prova_requires(prova_valid_read(in, length));
 *         prova_requires(length <= INT_MAX);
 *         prova_ensures(prova_result >= -1 && prova_result < (int)length);
 *         prova_assigns();
 *         ...
 *
 * and at the start of a loop's body:
 *
 *         for (size_t i = 0; i < length; i++) {
 *             prova_invariant(i <= length);
 *             prova_decreases(length - i);
 *             ...
 *
 * `prova check --entry find` assumes what `find` requires and checks what it ensures and assigns;
 * `prova check --modular` does so for every function, and takes contracts for calls.
 */
#ifndef PROVA_H
#define PROVA_H

#ifdef __PROVA__

/* What a caller has to see to. */
#define prova_requires(condition) __prova_requires(condition)
/* What holds when the function returns. */
#define prova_ensures(condition) __prova_ensures(condition)
/* What the function may write, at most: things that can be assigned to, and ranges; nothing, if it
   is empty. Without it calls are never taken by the contract. */
#define prova_assigns(...) __prova_assigns(__VA_ARGS__)
/* So many elements from a pointer on. */
#define prova_range(pointer, count) __prova_range((pointer), (count) * sizeof *(pointer))

/* What holds whenever a loop's condition is looked at, and a number that is not negative then and
   gets smaller from each time to the next. */
#define prova_invariant(condition) __prova_invariant(condition)
#define prova_decreases(measure) __prova_decreases(measure)

/* So many elements from a pointer on may be read and written; may be read. */
#define prova_valid(pointer, count) __prova_valid((pointer), (count) * sizeof *(pointer))
#define prova_valid_read(pointer, count) __prova_valid_read((pointer), (count) * sizeof *(pointer))
/* Two pointers lead to different objects. */
#define prova_separate(one, other) __prova_separate((one), (other))
/* A pointer leads to characters that end with a zero. */
#define prova_string(pointer) __prova_string(pointer)

/* In what a function ensures: a value from before the call, and what is returned. */
#define prova_old(value) __prova_old(value)
#define prova_result __prova_result

/* For all integers from `low` up to but not including `high`; for one of them. */
#define prova_forall(name, low, high, condition) __prova_forall(name, low, high, condition)
#define prova_exists(name, low, high, condition) __prova_exists(name, low, high, condition)

#else

#define prova_requires(condition) ((void)0)
#define prova_ensures(condition) ((void)0)
#define prova_assigns(...) ((void)0)
#define prova_invariant(condition) ((void)0)
#define prova_decreases(measure) ((void)0)

#endif

#endif
