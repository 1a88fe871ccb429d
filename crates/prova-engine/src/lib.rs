//! The algorithms behind one Engine trait; DASH first
