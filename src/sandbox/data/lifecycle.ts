import { MS_PER_DAY } from './instants.ts';
import { hash32, RandomStream } from './random.ts';

/** The events of a claim, as instants; null where one never happens. */
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

/** The statuses of docs/service.md, "What the claim fields mean"; `Under Review` represents "others may come". */
const OUTCOMES: readonly string[] = [
  ...Array.from({ length: 78 }, () => 'Processed'),
  ...Array.from({ length: 11 }, () => 'Partially Approved'),
  ...Array.from({ length: 10 }, () => 'Rejected'),
  'Under Review',
];

/**
 * The whole lifecycle of claim `index`, which is fixed from the start; the data's clock decides how much of it is
 * visible.
 */
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

/** The current state of the claim. */
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
