//! Keys, ECDH and ECDSA against vectors, against OpenSSL, and on input that must be refused.
mod bounds;
mod der;
mod dstu4145;
mod ecdh;
mod ecdsa;
mod keys;
mod openssl;
mod parts;
mod rng;
mod vectors;
