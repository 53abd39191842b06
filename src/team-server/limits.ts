/** Limits for clients. */
export interface Limits {
  /** Requests of one computer. */
  readonly computer: BucketSize;
  /** Refused requests of one address: for a wrong token, code or invitation. */
  readonly address: BucketSize;
  /** Requests of one computer for leases. */
  readonly leases: BucketSize;
  readonly maxConnections: number;
  /** Event streams and waiting requests of one computer. */
  readonly maxListenersOfComputer: number;
  /** The bytes of all large requests that are being received. */
  readonly maxReceivingBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

export interface BucketSize {
  readonly capacity: number;
  readonly perSecond: number;
}

export const defaultLimits: Limits = {
  computer: { capacity: 300, perSecond: 60 },
  address: { capacity: 100, perSecond: 5 },
  leases: { capacity: 100, perSecond: 10 },
  maxConnections: 2_000,
  maxListenersOfComputer: 4,
  maxReceivingBytes: 200_000_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
};

/** The largest number of buckets; beyond it the oldest is removed. */
const maxBuckets = 20_000;

/** Counts what each computer or address may still send. */
export function createBuckets({ capacity, perSecond }: BucketSize, now: () => number) {
  const buckets = new Map<string, { level: number; at: number }>();
  const levelOf = (key: string): number => {
    const bucket = buckets.get(key);
    if (bucket === undefined) return capacity;
    return Math.min(capacity, bucket.level + (Math.max(0, now() - bucket.at) / 1_000) * perSecond);
  };
  return {
    isEmpty: (key: string): boolean => levelOf(key) < 1,
    take(key: string): boolean {
      const level = levelOf(key);
      if (level < 1) return false;
      buckets.delete(key);
      buckets.set(key, { level: level - 1, at: now() });
      const [first] = buckets.keys();
      if (buckets.size > maxBuckets && first !== undefined) buckets.delete(first);
      return true;
    },
  };
}
