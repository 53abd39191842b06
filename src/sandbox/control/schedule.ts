import type { World } from '../data/world.ts';
import type { DataRoute } from '../faults/fault-schema.ts';
import type { ScheduleStep } from './edit-schema.ts';
import { applyEdits } from './edits.ts';

export type ScheduleState = {
  readonly answered: number;
  readonly pending: number;
  readonly errors: readonly string[];
};

/**
 * Edits between two requests. A step is applied in the same turn of the event loop as the reply before it, so that a
 * sequential client always gets the same data.
 */
export class Schedule {
  private pending: ScheduleStep[] = [];
  private readonly counts = new Map<DataRoute | '*', number>();
  private errors: string[] = [];

  set(steps: readonly ScheduleStep[]): void {
    this.pending = [...steps];
    this.counts.clear();
    this.errors = [];
  }

  state(): ScheduleState {
    return { answered: this.counts.get('*') ?? 0, pending: this.pending.length, errors: this.errors };
  }

  /** Counts a reply of this route, and applies the steps that are now due. */
  answered(route: DataRoute, world: World): void {
    if (this.pending.length === 0) return;
    for (const name of [route, '*'] as const) this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    const isDue = (step: ScheduleStep): boolean => (this.counts.get(step.route) ?? 0) >= step.after;
    const due = this.pending.filter(isDue);
    if (due.length === 0) return;
    this.pending = this.pending.filter((step) => !isDue(step));
    for (const step of due) this.applyStep(step, world);
  }

  private applyStep(step: ScheduleStep, world: World): void {
    try {
      applyEdits(world, step.edits);
    } catch (error) {
      this.errors.push(error instanceof Error ? error.message : 'A step could not be applied');
    }
  }
}
