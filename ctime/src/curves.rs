//! The cases of `carryless_gf2::curve`, on two curves over one field and on GLS254. Over GF(2^163) valgrind
//! 3.19 cannot decode an instruction: see `fields::elements`.
use crate::cases::Case;
use crate::secret::{array, publish, word};
use carryless_gf2::ClmulCpu;
use carryless_gf2::curve::{
    AffinePoint, BinaryCurve, Curve, Gls254, PreparedPoint, Scalar, Sect233k1, Sect233r1, XOnlyPoint,
};
use ctutils::{Choice, CtEq, CtSelect};

/// A case for every function that takes a secret. The length is that of an element in words,
/// so only [`SIZE`] does anything.
pub const CASES: &[Case<ClmulCpu>] = &[
    // A case for each curve: together they have more steps than the tracer follows.
    Case { functions: PRODUCTS, run: products::<Sect233k1> },
    Case { functions: PRODUCTS, run: products::<Sect233r1> },
    Case { functions: PRODUCTS, run: products::<Gls254> },
    Case {
        functions: &[
            "point::AffinePoint::double",
            "point::AffinePoint::frobenius",
            "point::AffinePoint::sign",
            "point::AffinePoint::is_infinity",
            "point::AffinePoint::is_in_prime_order_group",
            "point::AffinePoint as CtEq",
            "point::AffinePoint as CtSelect",
            "point::AffinePoint as PartialEq",
            "point::AffinePoint as Neg",
            "point::AffinePoint as Add",
            "point::AffinePoint as Sub",
            "point::AffinePoint as AddAssign",
            "point::AffinePoint as SubAssign",
            "point::AffinePoint as Mul",
            "point::AffinePoint as MulAssign",
        ],
        run: |_, n| {
            if n == SIZE {
                points();
            }
        },
    },
    Case {
        functions: &[
            "lambda_point::LambdaPoint::to_affine",
            "lambda_point::LambdaPoint::is_infinity",
            "lambda_point::LambdaPoint::double",
            "lambda_point::LambdaPoint as CtEq",
            "lambda_point::LambdaPoint as CtSelect",
            "lambda_point::LambdaPoint as PartialEq",
            "lambda_point::LambdaPoint as Neg",
            "lambda_point::LambdaPoint as Add",
            "lambda_point::LambdaPoint as Sub",
            "lambda_point::LambdaPoint as AddAssign",
            "lambda_point::LambdaPoint as SubAssign",
            "lambda_point::LambdaPoint as Sum",
            "lambda_point::AffinePoint as From",
            "x_only::XOnlyPoint::from_affine",
            "x_only::XOnlyPoint::x",
            "x_only::XOnlyPoint::mul",
            "x_only::XOnlyPoint as CtEq",
            "x_only::XOnlyPoint as CtSelect",
            "x_only::XOnlyPoint as PartialEq",
        ],
        run: |_, n| {
            if n == SIZE {
                other_coordinates();
            }
        },
    },
    Case {
        functions: &[
            "scalar::Scalar::reduce_be_bytes",
            "scalar::Scalar::write_be_bytes",
            "scalar::Scalar::from_u64",
            "scalar::Scalar::invert",
            "scalar::Scalar::is_zero",
            "scalar::Scalar::is_odd",
            "scalar::Scalar as CtEq",
            "scalar::Scalar as CtSelect",
            "scalar::Scalar as PartialEq",
            "scalar::Scalar as Neg",
        ],
        run: |_, n| {
            if n == SIZE {
                scalars();
            }
        },
    },
];

/// The functions that [`products`] calls, for each of its curves.
const PRODUCTS: &[&str] = &[
    "operations::Curve::mul",
    "operations::Curve::mul_x",
    "operations::Curve::mul_base",
    "operations::Curve::mul_base_add_mul",
    "operations::Curve::mul_batch",
    "operations::Curve::is_in_prime_order_group",
    "prepared::PreparedPoint::mul",
    "prepared::PreparedPoint::mul_lambda",
    "lambda_point::Curve::add",
    "prepared::Curve::mul_base_lambda",
    "lambda_point::Curve::to_affine",
    "lambda_point::Curve::normalize",
];

/// Functions of the public API that need no case, and why.
pub const PUBLIC: &[(&str, &str)] = &[
    ("operations::Curve::new", "takes nothing"),
    ("operations::Curve::on", "takes a backend"),
    ("operations::Curve::cpu", "takes nothing"),
    ("operations::Curve as Default", "takes nothing"),
    ("point::AffinePoint::generator", "takes nothing"),
    ("point::AffinePoint::infinity", "takes nothing"),
    ("point::AffinePoint as Default", "takes nothing"),
    ("point::AffinePoint::from_coordinates", "whether coordinates satisfy the equation is public"),
    ("point::AffinePoint::decompress", "whether a point has this x is public"),
    ("point::AffinePoint::coordinates", "whether a point is infinity is public"),
    ("point::AffinePoint::x", "gives a reference"),
    ("point::AffinePoint::y", "gives a reference"),
    ("sec1::AffinePoint::from_sec1", "bytes of points are public"),
    ("sec1::AffinePoint::to_sec1", "bytes of points are public"),
    ("sec1::AffinePoint::to_sec1_compressed", "bytes of points are public"),
    ("sec1::EncodedPoint as AsRef", "bytes of points are public"),
    ("prepared::PreparedPoint::new", "the point is public"),
    ("lambda_point::LambdaPoint::generator", "takes nothing"),
    ("lambda_point::LambdaPoint::infinity", "takes nothing"),
    ("lambda_point::LambdaPoint as Default", "takes nothing"),
    ("lambda_point::LambdaPoint::from_affine", "whether a point is in the group is public"),
    ("x_only::XOnlyPoint::new", "whether a point has this x is public"),
    ("x_only::XOnlyPoint::to_affine", "as decompress"),
    ("vartime::Curve::sum_of_products_vartime", "takes public scalars and points, as its name says"),
    ("scalar::Scalar::invert_vartime", "takes a public scalar, as its name says"),
    ("scalar::Scalar::zero", "takes nothing"),
    ("scalar::Scalar::one", "takes nothing"),
    ("scalar::Scalar as Default", "takes nothing"),
    ("scalar::Scalar::from_be_bytes", "whether a number is below n is public; otherwise as reduce_be_bytes"),
    ("scalar::Scalar::set_be_bytes", "as from_be_bytes"),
];

/// Words of an element of GF(2^233) and of GF(2^254), the fields of these curves.
pub(crate) const SIZE: usize = 4;

fn scalar<C: BinaryCurve>() -> Scalar<C> {
    Scalar::reduce_be_bytes(&array::<29>())
}

/// A secret point: the product of a secret scalar and G.
fn point<C: BinaryCurve>() -> AffinePoint<C> {
    Curve::new().mul(&scalar(), &AffinePoint::generator())
}

fn products<C: BinaryCurve>(cpu: ClmulCpu, n: usize) {
    // Curves have a size of their own, so other lengths would only repeat these calls.
    if n != SIZE {
        return;
    }
    let curve = Curve::<C>::on(cpu);
    let (k, l, p) = (scalar::<C>(), scalar::<C>(), curve.mul(&scalar(), &AffinePoint::generator()));
    let prepared = PreparedPoint::new(&curve, &AffinePoint::generator()).expect("G has order n");
    let mut batch = [p; 3];
    curve.mul_batch(&[k, l, k], &[p; 3], &mut batch);
    publish(batch);
    publish(curve.mul(&k, &p));
    publish(curve.mul_x(&k, &C::GENERATOR[0]));
    publish(curve.mul_base(&k));
    publish(curve.mul_base_add_mul(&k, &l, &p));
    publish(prepared.mul(&curve, &k));
    let lambda = curve.add(&prepared.mul_lambda(&curve, &k), &curve.mul_base_lambda(&l));
    publish(lambda);
    publish(curve.to_affine(&lambda));
    curve.normalize(&[lambda; 3], &mut batch);
    publish(batch);
    publish(curve.is_in_prime_order_group(&p));
}

/// Checks operators, which run on the best backend, whatever the case asks for.
fn points() {
    let (p, q) = (point::<Sect233k1>(), point::<Sect233k1>());
    let (mut sum, mut difference, mut product) = (p, p, p);
    sum += q;
    difference -= q;
    product *= scalar();
    publish([sum, difference, product, p + q, p - q, -p, p.double(), p * scalar(), p.frobenius()]);
    publish(p.ct_select(&q, Choice::from_u64_lsb(word())));
    publish([p.sign(), p.is_infinity(), p.is_in_prime_order_group(), p.ct_eq(&q)]);
    publish(p == q);
}

fn other_coordinates() {
    let curve = Curve::<Sect233k1>::new();
    let (p, q) = (curve.mul_base_lambda(&scalar()), curve.mul_base_lambda(&scalar()));
    let (mut sum, mut difference) = (p, p);
    sum += q;
    difference -= q;
    publish([sum, difference, p + q, p - q, -p, p.double(), [p, q].into_iter().sum()]);
    publish(p.ct_select(&q, Choice::from_u64_lsb(word())));
    publish([p.is_infinity(), p.ct_eq(&q)]);
    publish(p == q);
    publish([p.to_affine(), AffinePoint::from(&q)]);
    let [x, y] = [p, q].map(|point| XOnlyPoint::from_affine(&point.to_affine()).unwrap_or(generator()));
    publish(x.ct_select(&y, Choice::from_u64_lsb(word())));
    publish([*x.x(), *x.mul(&scalar()).unwrap_or(generator()).x()]);
    publish(x.ct_eq(&y));
    publish(x == y);
}

fn generator<C: BinaryCurve>() -> XOnlyPoint<C> {
    XOnlyPoint::new(C::GENERATOR[0]).expect("on the curve")
}

fn scalars() {
    let (k, l) = (scalar::<Sect233k1>(), scalar::<Sect233k1>());
    let mut bytes = [0; Scalar::<Sect233k1>::BYTES];
    k.write_be_bytes(&mut bytes);
    publish(bytes);
    publish([k + l, k - l, k * l, -k, Scalar::from_u64(word())]);
    publish(k.invert());
    publish(k.ct_select(&l, Choice::from_u64_lsb(word())));
    publish([k.is_zero(), k.is_odd(), k.ct_eq(&l)]);
    publish(k == l);
}
