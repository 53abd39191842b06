import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { yearsBefore } from '../../../../src/main/desk/audit-retention.ts';
import { givenTempProfile } from '../../../support/temp-profile.ts';
import { openTestDesk } from '../../../support/test-desk.ts';

const profileDir = givenTempProfile();

test('six years by default, and what the settings say from then on', async () => {
  await writeFile(join(profileDir(), 'ours.db'), '');
  const desk = openTestDesk({ profileDir: profileDir(), watchesIdle: true });
  await vi.waitFor(() => expect(desk.trims).toEqual([{ before: '2020-11-20T00:00:00.000Z' }]));
  await desk.call('settings:set', { auditYears: 10 });
  await vi.waitFor(() => expect(desk.trims.at(-1)).toEqual({ before: '2016-11-20T00:00:00.000Z' }));
  expect(await desk.fail('settings:set', { auditYears: 0 })).toMatchObject({ code: 'usage.invalid' });
  await desk.desk.close();
});

test('without a log, and for a one-shot command, no engine is started for it', async () => {
  const desk = openTestDesk({ profileDir: profileDir(), watchesIdle: true });
  await desk.call('settings:set', { auditYears: 10 });
  expect(desk.trims).toEqual([]);
  await desk.desk.close();
});

test('the same day years earlier, including for a leap day', () => {
  expect(yearsBefore(Date.UTC(2026, 10, 20, 5), 6)).toBe('2020-11-20T05:00:00.000Z');
  expect(yearsBefore(Date.UTC(2028, 1, 29), 1)).toBe('2027-03-01T00:00:00.000Z');
});
