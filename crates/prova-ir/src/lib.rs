//! The program: control-flow automata, expressions, printing, parsing
