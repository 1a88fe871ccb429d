//! One machine, two kinds of values: concrete and symbolic execution
