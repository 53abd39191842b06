import { MS_PER_DAY } from './instants.ts';
import { hash32, RandomStream } from './random.ts';

/** When each event of a claim happens; null for never. */
export type Lifecycle = {
  readonly serviceDay: number;
  readonly createdMs: number;
  readonly processedMs: number | null;
  readonly adjustedMs: number | null;
  /** A change that is not material: check number, remarks. */
  readonly amendedMs: number | null;
  readonly outcome: string;
};

/** The state of a claim at one moment. */
export type Stage = {
  readonly isProcessed: boolean;
  readonly isAdjusted: boolean;
  readonly isAmended: boolean;
  readonly status: string;
  readonly modifiedMs: number;
  /** Changes only with material changes (docs/service.md, "What the claim fields mean"). */
  readonly statusMs: number;
};

/** The statuses of docs/service.md, "What the claim fields mean". `Under Review` represents any others. */
const OUTCOMES: readonly string[] = [
  ...Array.from({ length: 78 }, () => 'Processed'),
  ...Array.from({ length: 11 }, () => 'Partially Approved'),
  ...Array.from({ length: 10 }, () => 'Rejected'),
  'Under Review',
];

/** Generates the whole lifecycle of claim `index`. The data's clock decides how much of it is visible. */
export function lifecycleOf(seed: number, index: number, createdMs: number): Lifecycle {
  const r = new RandomStream(hash32(seed, index, 41));
  const createdDay = Math.floor(createdMs / MS_PER_DAY);
  const serviceDay = createdDay - r.between(1, 30);
  const staysOpen = r.chance(1.5);
  const processedMs = staysOpen ? null : createdMs + r.between(1, 25) * MS_PER_DAY + r.below(MS_PER_DAY);
  const isAdjusted = r.chance(5);
  const adjustDelay = r.between(8, 120) * MS_PER_DAY;
  const isAmended = r.chance(10);
  const amendDelay = r.between(1, 60) * MS_PER_DAY + r.below(MS_PER_DAY);
  return {
    serviceDay,
    createdMs,
    processedMs,
    adjustedMs: isAdjusted && processedMs !== null ? processedMs + adjustDelay : null,
    amendedMs: isAmended && processedMs !== null ? processedMs + amendDelay : null,
    outcome: r.pick(OUTCOMES),
  };
}

/** Returns the state of the claim at `nowMs`. */
export function stageAt(life: Lifecycle, nowMs: number): Stage {
  const isProcessed = life.processedMs !== null && life.processedMs <= nowMs;
  const isAdjusted = life.adjustedMs !== null && life.adjustedMs <= nowMs;
  const isAmended = life.amendedMs !== null && life.amendedMs <= nowMs;
  const statusMs = isAdjusted
    ? (life.adjustedMs as number)
    : isProcessed
      ? (life.processedMs as number)
      : life.createdMs;
  return {
    isProcessed,
    isAdjusted,
    isAmended,
    status: isAdjusted ? 'Adjusted' : isProcessed ? life.outcome : 'In Process',
    modifiedMs: isAmended ? Math.max(statusMs, life.amendedMs as number) : statusMs,
    statusMs,
  };
}
