export function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** Returns the multiplicative inverse of `value` modulo `modulus`, which must have no common divisor. */
export function inverseModulo(value: number, modulus: number): number {
  if (modulus === 1) return 0;
  let [r0, r1] = [modulus, value % modulus];
  let [t0, t1] = [0, 1];
  while (r1 !== 0) {
    const q = Math.floor(r0 / r1);
    [r0, r1] = [r1, r0 - q * r1];
    [t0, t1] = [t1, t0 - q * t1];
  }
  return ((t0 % modulus) + modulus) % modulus;
}
