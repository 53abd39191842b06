import { localDayOf } from '../../contract/days.ts';
import { type LaunchSample, startSampleService } from '../lib/sample-service.ts';

/** How much sample data there is: enough that lists scroll and searching matters, little enough to sync at once. */
const defaults = { members: 2_000, claims: 20_000 } as const;

/** The day of this computer, `YYYY-MM-DD`: the sample ends with it. `CLAIMDESK_SAMPLE_TODAY` for tests. */
export function readSampleDay(environment: Readonly<Record<string, string | undefined>>, now: Date): string {
  const given = environment.CLAIMDESK_SAMPLE_TODAY ?? '';
  if (/^\d{4}-\d{2}-\d{2}$/.test(given)) return given;
  return localDayOf(now);
}

/** Pure: the size by the environment (`CLAIMDESK_SAMPLE_MEMBERS`, `CLAIMDESK_SAMPLE_CLAIMS`), else the default. */
export function readSampleSize(environment: Readonly<Record<string, string | undefined>>) {
  const read = (name: string, fallback: number): number => {
    const text = environment[name] ?? '';
    return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : fallback;
  };
  return {
    members: read('CLAIMDESK_SAMPLE_MEMBERS', defaults.members),
    claims: read('CLAIMDESK_SAMPLE_CLAIMS', defaults.claims),
  };
}

/** Starts the sample service of a window, with ordinary data. @throws DeskError `sandbox.failed` */
export const startWindowSample = (
  environment: Readonly<Record<string, string | undefined>>,
  launch?: LaunchSample,
) =>
  startSampleService({
    ...readSampleSize(environment),
    corpus: 'ordinary',
    today: readSampleDay(environment, new Date()),
    ...(launch === undefined ? {} : { launch }),
  });
