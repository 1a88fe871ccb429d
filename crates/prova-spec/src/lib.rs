//! What to check, woven into the program as error locations
