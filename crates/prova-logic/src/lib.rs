//! Hash-consed terms, simplifier, models, and the Solver trait with its backends
