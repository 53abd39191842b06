import { expect, test } from 'vitest';
import { doctorShownSchema } from '../../../../../src/contract/doctor.ts';
import { doctorSteps } from '../../../../../src/contract/doctor-steps.ts';
import { listShown } from '../../../../../src/renderer/features/doctor/doctor-labels.ts';

test('every step has its own title', () => {
  const titles = Object.values(doctorSteps).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('everything shown next to a finding has a label; what is missing is left out', () => {
  const all = Object.fromEntries(Object.keys(doctorShownSchema.shape).map((name) => [name, `the ${name}`]));
  const shown = listShown(doctorShownSchema.parse(all));
  expect(shown.map(([, value]) => value).sort()).toEqual(Object.values(all).sort());
  expect(listShown({ host: '', fingerprint: 'SHA256:x' })).toEqual([['Fingerprint', 'SHA256:x']]);
});
