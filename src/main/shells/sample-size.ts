import { addDays, localDayOf } from '../../rules/days.ts';
import type { LaunchSample } from '../lib/sample-process.ts';
import { sampleDays, startSampleService } from '../lib/sample-service.ts';

/** The size of the sample: large enough for scrolling and searching, small enough to sync in a moment. */
const defaults = { members: 2_000, claims: 20_000 } as const;

/** The last day of the sample's data, `YYYY-MM-DD`, before the first *Next day*. Tests set `CLAIMDESK_SAMPLE_TODAY`. */
function readSampleDay(environment: Readonly<Record<string, string | undefined>>, now: Date): string {
  const given = environment.CLAIMDESK_SAMPLE_TODAY ?? '';
  if (/^\d{4}-\d{2}-\d{2}$/.test(given)) return given;
  const today = localDayOf(now);
  return addDays(today, -sampleDays) ?? today;
}

/** Pure: the size from the environment (`CLAIMDESK_SAMPLE_MEMBERS`, `CLAIMDESK_SAMPLE_CLAIMS`), or the default. */
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
