import { MS_PER_DAY } from './calendar.ts';
import { hash32, RandomStream } from './random.ts';

/** What happens to a claim, as instants; null where it never happens. */
export type Lifecycle = {
  readonly serviceDay: number;
  readonly createdMs: number;
  readonly processedMs: number | null;
  readonly adjustedMs: number | null;
  /** A change that is not material: check number, remarks. */
  readonly notedMs: number | null;
  readonly outcome: string;
};

/** Where a claim stands at one moment. */
export type Stage = {
  readonly isProcessed: boolean;
  readonly isAdjusted: boolean;
  readonly isNoted: boolean;
  readonly status: string;
  readonly modifiedMs: number;
  /** Moves only when something material changed (docs/service.md, "What the claim fields mean"). */
  readonly statusMs: number;
};

/** The statuses of docs/service.md, "What the claim fields mean"; `Under Review` stands for "others may come". */
const OUTCOMES: readonly string[] = [
  ...Array.from({ length: 78 }, () => 'Processed'),
  ...Array.from({ length: 11 }, () => 'Partially Approved'),
  ...Array.from({ length: 10 }, () => 'Rejected'),
  'Under Review',
];

/** The whole life of claim `index`, known from the start: the data's clock only shows more or less of it. */
export function lifecycleOf(seed: number, index: number, createdMs: number): Lifecycle {
  const r = new RandomStream(hash32(seed, index, 41));
  const createdDay = Math.floor(createdMs / MS_PER_DAY);
  const serviceDay = createdDay - r.between(1, 30);
  const staysOpen = r.chance(1.5);
  const processedMs = staysOpen ? null : createdMs + r.between(1, 25) * MS_PER_DAY + r.below(MS_PER_DAY);
  const isAdjusted = r.chance(5);
  const adjustDelay = r.between(8, 120) * MS_PER_DAY;
  const isNoted = r.chance(10);
  const noteDelay = r.between(1, 60) * MS_PER_DAY + r.below(MS_PER_DAY);
  return {
    serviceDay,
    createdMs,
    processedMs,
    adjustedMs: isAdjusted && processedMs !== null ? processedMs + adjustDelay : null,
    notedMs: isNoted && processedMs !== null ? processedMs + noteDelay : null,
    outcome: r.pick(OUTCOMES),
  };
}

/** Where the claim stands now. */
export function stageAt(life: Lifecycle, nowMs: number): Stage {
  const isProcessed = life.processedMs !== null && life.processedMs <= nowMs;
  const isAdjusted = life.adjustedMs !== null && life.adjustedMs <= nowMs;
  const isNoted = life.notedMs !== null && life.notedMs <= nowMs;
  const statusMs = isAdjusted
    ? (life.adjustedMs as number)
    : isProcessed
      ? (life.processedMs as number)
      : life.createdMs;
  return {
    isProcessed,
    isAdjusted,
    isNoted,
    status: isAdjusted ? 'Adjusted' : isProcessed ? life.outcome : 'In Process',
    modifiedMs: isNoted ? Math.max(statusMs, life.notedMs as number) : statusMs,
    statusMs,
  };
}
