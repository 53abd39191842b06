import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { DeskBridge } from '../../../../src/contract/bridge.ts';
import { type ProcedureName, procedures } from '../../../../src/contract/procedures.ts';
import { deskMask, isMaskedAtDesk, maskForDesk } from '../../../../src/renderer/lib/desk-mask.ts';
import { createDeskMode } from '../../../../src/renderer/lib/desk-mode.ts';

function given(answers: Partial<Record<ProcedureName, unknown>>) {
  let isDeskMode = false;
  const asked = vi.fn();
  const call = Object.fromEntries(
    Object.keys(procedures).map((name) => [
      name,
      async (input: unknown) => {
        asked(name, input);
        if (name === 'settings:set') isDeskMode = (input as { isDeskMode: boolean }).isDeskMode;
        const isSettings = name === 'settings:set' || name === 'settings:get';
        return { ok: true, value: isSettings ? { isDeskMode } : answers[name as ProcedureName] };
      },
    ]),
  );
  const backend = { shell: 'browser', call, subscribe: () => () => undefined } as unknown as DeskBridge;
  const mode = createDeskMode(backend);
  const set = (isOn: boolean) => mode.bridge.call['settings:set']({ isDeskMode: isOn });
  return { mode, asked, set, call: mode.bridge.call };
}

const member = {
  id: 7,
  first_name: 'Ann',
  date_of_birth: '1980-02-03',
  dependents: [{ id: 70, date_of_birth: '2011-01-01', dob: null }],
  employer: { notes: 'call first' },
};
const workspaceId = 'w';

test.each([
  'date_of_birth',
  'dependents[].date_of_birth',
  'diagnosis_code',
  'x.Diagnosis_Codes',
  'icd10',
  'remarks',
  'note',
])('%s is masked', (path) => expect(isMaskedAtDesk(path)).toBe(true));

test.each(['id', 'processed_on', 'procedure_code', 'date_of_service.start', 'notes.id', 'keynote'])(
  '%s is not',
  (path) => expect(isMaskedAtDesk(path)).toBe(false),
);

test('wherever a masked field lies, its value is gone; everything else stays', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.constantFrom('date_of_birth', 'diagnosis_code', 'remarks'),
      fc.array(fc.constantFrom('a', 'list'), { maxLength: 5 }),
      (rest, field, path) => {
        let record: unknown = { [field]: 'S3CRET', rest };
        for (const step of path) record = step === 'list' ? [record] : { inner: record };
        const masked = JSON.stringify(maskForDesk(record));
        expect(masked).not.toContain('S3CRET');
        expect(masked).toContain(deskMask);
      },
    ),
  );
  const { date_of_birth: _birth, ...others } = member;
  const { employer: _employer, dependents: _dependents, ...plain } = others;
  expect(maskForDesk(plain)).toEqual(plain);
});

test('nothing masked comes out of the bridge while it is on, and all of it again afterwards', async () => {
  const { call, set, mode } = given({ 'records:getMember': { member } });
  const read = () => call['records:getMember']({ workspaceId, id: 7 });
  const changed = vi.fn();
  mode.onChange(changed);
  expect(await read()).toEqual({ ok: true, value: { member } });
  await set(true);
  expect(changed).toHaveBeenCalledTimes(1);
  expect(JSON.stringify(await read())).not.toMatch(/1980-02-03|2011-01-01|call first/);
  // A missing value is still shown as missing.
  expect(JSON.stringify(await read())).toContain('"dob":null');
  await set(false);
  expect(await read()).toEqual({ ok: true, value: { member } });
  expect(changed).toHaveBeenCalledTimes(2);
});

test('it follows the setting however it was changed', async () => {
  const { call, mode, set } = given({});
  await set(true);
  await call['settings:get']({});
  expect(mode.isOn()).toBe(true);
});

test('rows and changes are masked too', async () => {
  const { call, set } = given({
    'records:getWindow': { rows: [{ id: 1, date_of_birth: '1980-02-03' }], isStale: false },
    'sync:listChanges': {
      changes: [
        {
          fields: [
            { path: 'date_of_birth', before: '"1980-02-03"', after: null },
            { path: 'email', before: '"a"', after: '"b"' },
          ],
        },
      ],
    },
  });
  await set(true);
  const window = await call['records:getWindow']({ workspaceId, snapshotId: 's', offset: 0, limit: 1 });
  expect(window).toEqual({ ok: true, value: { rows: [{ id: 1, date_of_birth: deskMask }], isStale: false } });
  const changes = JSON.stringify(await call['sync:listChanges']({ workspaceId, offset: 0, limit: 10 }));
  expect(changes).not.toContain('1980');
  expect(changes).toContain('email');
});

test('names of documents are masked in the list of papers, and letters have none', async () => {
  const { call, set } = given({
    'reviews:listPapers': { papers: [{ name: 'HIV test result.pdf' }, { name: null }], isWhole: true },
  });
  await set(true);
  expect(await call['reviews:listPapers']({ workspaceId })).toEqual({
    ok: true,
    value: { papers: [{ name: deskMask }, { name: null }], isWhole: true },
  });
});

test('what would show, take along or overwrite it is refused by a code and asks nobody', async () => {
  const { call, set, asked } = given({});
  await set(true);
  asked.mockClear();
  const query = { entity: 'lines' as const };
  const answers = await Promise.all([
    call['records:revealSsn']({ workspaceId, entity: 'members', id: 7 }),
    call['documents:read']({ workspaceId, claimId: 7, sha256: 'a'.repeat(64) }),
    call['documents:notePrinted']({ workspaceId, claimId: 7, sha256: 'a'.repeat(64), reason: 'Audit' }),
    call['records:group']({ workspaceId, query, by: 'diagnosis_code' }),
    call['records:listValues']({ workspaceId, entity: 'members', field: 'date_of_birth' }),
    call['export:start']({
      workspaceId,
      source: { kind: 'list', query },
      format: 'csv',
      targetId: 't',
      columns: ['id', 'diagnosis_code'],
    }),
    call['reviews:act']({
      workspaceId,
      target: { claimIds: [1] },
      act: { kind: 'editNote', noteId: 'n', text: deskMask },
    }),
  ]);
  for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'desk.masked' } });
  expect(asked).not.toHaveBeenCalled();
});

test('a copy takes the columns that are left', async () => {
  const { call, set, asked } = given({ 'records:copy': { text: '', rows: 1 } });
  await set(true);
  await call['records:copy']({
    workspaceId,
    snapshotId: 's',
    places: [[0, 0]],
    fields: ['id', 'date_of_birth'],
  });
  expect(asked).toHaveBeenLastCalledWith('records:copy', expect.objectContaining({ fields: ['id'] }));
});

test('what people wrote about a claim is masked, and is not overwritten with its mask', async () => {
  const secretText = 'call the daughter';
  const { call, set, asked } = given({
    'reviews:get': {
      reason: secretText,
      onWhom: 'Carrier',
      notes: [{ id: 'n', text: secretText }],
      appeals: [{ id: 'a', reason: secretText, answered: { answer: 'upheld', reason: secretText } }],
      documents: [{ id: 'd', name: secretText }],
      changes: [
        { name: 'remarks', before: secretText, after: null },
        { name: 'status', before: 'In Process', after: 'Processed' },
        {
          name: 'claim_medical_lines',
          before: 1,
          after: 1,
          lines: { before: [{ diagnosis_code: secretText }], after: [] },
        },
      ],
    },
    'reviews:listEvents': {
      total: 3,
      events: [
        { fact: { kind: 'note', text: secretText }, changes: null },
        { fact: { kind: 'editNote', noteId: 'n', text: secretText }, changes: null },
        {
          fact: { kind: 'decision', state: 'waiting', onWhom: 'Carrier', reason: secretText },
          changes: null,
        },
      ],
    },
  });
  await set(true);
  const review = JSON.stringify(await call['reviews:get']({ workspaceId, claimId: 7 }));
  const history = JSON.stringify(
    await call['reviews:listEvents']({ workspaceId, claimId: 7, offset: 0, limit: 9 }),
  );
  expect(review + history).not.toContain(secretText);
  expect(review).toContain('In Process');
  expect(history).toContain('Carrier');
  const edit = { kind: 'editNote', noteId: 'n', text: deskMask } as const;
  const target = { claimIds: [7] };
  asked.mockClear();
  expect(await call['reviews:act']({ workspaceId, target, act: edit })).toMatchObject({
    ok: false,
    error: { code: 'desk.masked' },
  });
  expect(asked).not.toHaveBeenCalled();
  await call['reviews:act']({ workspaceId, target, act: { kind: 'note', text: 'new' } });
  expect(asked).toHaveBeenCalledTimes(1);
});
