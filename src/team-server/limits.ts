import type { Usage } from './store/entry-store.ts';

export interface Limits {
  readonly computer: BucketSize;
  /** Refused requests of one address: for a wrong token, code or invitation. */
  readonly address: BucketSize;
  /** Requests of one computer for leases. */
  readonly leases: BucketSize;
  readonly maxConnections: number;
  /** How many of these are reserved for addresses that recently sent a valid token. */
  readonly reservedConnections: number;
  /** The limit of one address. A proxy on this computer has none, because all clients are behind it. */
  readonly maxConnectionsOfAddress: number;
  /** How long a TLS handshake may take. */
  readonly handshakeMs: number;
  /** The most that one computer may add in a day (UTC). */
  readonly quota: Usage;
  /** The most that the documents of a team may take, in bytes. */
  readonly documentBytes: number;
  /** Event streams and waiting requests of one computer. */
  readonly maxListenersOfComputer: number;
  /** The bytes of all large requests that are being received. */
  readonly maxReceivingBytes: number;
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
}

interface BucketSize {
  readonly capacity: number;
  readonly perSecond: number;
}

export const defaultLimits: Limits = {
  computer: { capacity: 300, perSecond: 60 },
  address: { capacity: 100, perSecond: 5 },
  leases: { capacity: 100, perSecond: 10 },
  maxConnections: 2_000,
  reservedConnections: 500,
  maxConnectionsOfAddress: 300,
  handshakeMs: 10_000,
  quota: { bytes: 2_000_000_000, entries: 500_000, memberships: 300 },
  documentBytes: 5_000_000_000,
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

/** How long an address is trusted after it sent a valid token. */
const goodMs = 86_400_000;

/** The addresses that recently sent a valid token. */
export function createGoodAddresses(now: () => number) {
  const seen = new Map<string, number>();
  return {
    add(address: string): void {
      seen.delete(address);
      seen.set(address, now());
      const [first] = seen.keys();
      if (seen.size > maxBuckets && first !== undefined) seen.delete(first);
    },
    has: (address: string): boolean => now() - (seen.get(address) ?? Number.NEGATIVE_INFINITY) < goodMs,
  };
}

export type GoodAddresses = ReturnType<typeof createGoodAddresses>;
