//! Quadratic extensions: every operation on all backends, over base fields of one, two and three words. A target of its own, so that it is compiled beside `field`.
//! `CARRYLESS_REQUIRE_BACKEND` and `CARRYLESS_QUICK` are as there.
#[path = "field/common.rs"]
#[allow(dead_code, reason = "the test target `field` takes the rest")]
mod common;
#[path = "common/random.rs"]
mod random;
#[path = "field/tower.rs"]
mod tower;
