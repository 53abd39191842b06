/**
 * Ten-thousandths of a dollar as plain decimals without an exponent and without zeros at the end: -125000 is `-12.5`.
 * Never divided: a double does not hold every such amount.
 */
export function writeAmount(tenThousandths: number): string {
  if (tenThousandths === 0) return '0';
  const size = Math.abs(tenThousandths);
  const fraction = size % 10_000;
  const whole = (size - fraction) / 10_000;
  const sign = tenThousandths < 0 ? '-' : '';
  if (fraction === 0) return sign + whole;
  const digits = fraction % 100 === 0 ? fraction / 100 : fraction;
  const width = fraction % 100 === 0 ? 2 : 4;
  return `${sign}${whole}.${String(digits).padStart(width, '0').replace(/0+$/, '')}`;
}

/** An exact sum of ten-thousandths, of any size, as plain decimals. */
export function writeSum(sum: bigint): string {
  const digits = String(sum < 0n ? -sum : sum).padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${digits.slice(0, -4)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Adds amounts exactly: in a double while it can hold the sum, beyond that in a big integer. */
export function createSum(): { add(tenThousandths: number): void; read(): bigint | null } {
  let [low, high, isEmpty] = [0, 0n, true];
  return {
    add(tenThousandths) {
      isEmpty = false;
      // Two addends of at most 2^52 are exact in a double.
      if (Math.abs(tenThousandths) > 2 ** 52) high += BigInt(tenThousandths);
      else low += tenThousandths;
      if (Math.abs(low) > 2 ** 52) {
        high += BigInt(low);
        low = 0;
      }
    },
    read: () => (isEmpty ? null : high + BigInt(low)),
  };
}

/** A plain decimal number, as the service may send one that no double holds. */
export const plainNumber = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;
