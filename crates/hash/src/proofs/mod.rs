//! Proofs for all inputs, run as tests: docs/proofs.md says what each of them shows.
