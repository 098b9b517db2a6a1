//! What the definitions imply, on inputs that no vector file has.
mod poly;
