//! C in: preprocess, parse, types and layout, lowering to prova-ir
