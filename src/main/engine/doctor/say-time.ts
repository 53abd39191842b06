const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `90` → `90 seconds`, `600` → `10 minutes`: the largest unit of which there are at least two. */
export function sayDuration(seconds: number): string {
  const whole = Math.max(1, Math.round(Math.abs(seconds)));
  const [name, size] = units.find(([, unit]) => whole >= 2 * unit) ?? units[3];
  const count = Math.round(whole / size);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** How this computer's clock differs from the service's; `offsetSeconds` is the service's minus this computer's. */
export function sayOffset(offsetSeconds: number): string {
  return `${sayDuration(offsetSeconds)} ${offsetSeconds > 0 ? 'behind' : 'ahead of'}`;
}
