/** What stands behind the dollars for each number of cents: nothing, `.01`, … `.5`, … */
const cents = Array.from({ length: 100 }, (_none, index) =>
  index === 0 ? '' : `.${String(index).padStart(2, '0').replace(/0$/, '')}`,
);

/**
 * Ten-thousandths of a dollar as plain decimals without an exponent and without zeros at the end: -125000 is `-12.5`.
 * Never divided: a double does not hold every such amount.
 */
export function writeAmount(tenThousandths: number): string {
  const size = Math.abs(tenThousandths);
  const fraction = size % 10_000;
  const whole = (size - fraction) / 10_000;
  const sign = tenThousandths < 0 ? '-' : '';
  if (fraction % 100 === 0) return sign + whole + (cents[fraction / 100] as string);
  return `${sign}${whole}.${String(fraction).padStart(4, '0').replace(/0+$/, '')}`;
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
