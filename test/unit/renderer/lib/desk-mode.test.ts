import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { z } from 'zod';
import type { DeskBridge } from '../../../../src/contract/bridge.ts';
import type { ExportSource } from '../../../../src/contract/export.ts';
import { exportColumnsOf, needsReason } from '../../../../src/contract/export-columns.ts';
import { type Output, type ProcedureName, procedures } from '../../../../src/contract/procedures.ts';
import type { MemberRecord } from '../../../../src/contract/records.ts';
import { sumByPerson } from '../../../../src/renderer/domain/claim/person-year.ts';
import { deskMask, isMaskedAtDesk, maskForDesk } from '../../../../src/renderer/lib/desk-mask.ts';
import { createDeskMode } from '../../../../src/renderer/lib/desk-mode.ts';
import { compareAnswers } from '../../../../src/rules/letters/letter-said.ts';
import { entities } from '../../../../src/rules/list-fields.ts';

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

test('wherever a masked field is, its value is removed; everything else stays', () => {
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
  const { date_of_birth: _birth, first_name: _name, ...others } = member;
  const { employer: _employer, dependents: _dependents, ...plain } = others;
  expect(maskForDesk(plain)).toEqual(plain);
});

test('nothing masked leaves the bridge while it is on, and all of it afterwards', async () => {
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
            { path: 'email', before: '"ann@example.com"', after: null },
            { path: 'status', before: '"Processed"', after: null },
            { path: 'members[1]', before: null, after: '{"first_name":"Ann","born":"1980"}' },
          ],
        },
      ],
    },
  });
  await set(true);
  const window = await call['records:getWindow']({ workspaceId, snapshotId: 's', offset: 0, limit: 1 });
  expect(window).toEqual({ ok: true, value: { rows: [{ id: 1, date_of_birth: deskMask }], isStale: false } });
  const changes = JSON.stringify(await call['sync:listChanges']({ workspaceId, offset: 0, limit: 10 }));
  expect(changes).not.toMatch(/1980|ann@|Ann/);
  expect(changes).toContain('Processed');
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

test('acts that would show, export or overwrite it are refused by a code and ask no one', async () => {
  const { call, set, asked } = given({});
  await set(true);
  asked.mockClear();
  const query = { entity: 'lines' as const };
  const answers = await Promise.all([
    call['records:revealSsn']({ workspaceId, entity: 'members', id: 7 }),
    call['documents:read']({ workspaceId, claimId: 7, sha256: 'a'.repeat(64) }),
    call['documents:auditPrinted']({ workspaceId, claimId: 7, sha256: 'a'.repeat(64), reason: 'Audit' }),
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

test('a copy has the columns that are left', async () => {
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

test('what users wrote about a claim is masked, and is not overwritten with its mask', async () => {
  const secretText = 'call the daughter';
  const { call, set, asked } = given({
    'reviews:get': {
      reason: secretText,
      onWhom: 'Carrier',
      notes: [{ id: 'n', text: secretText }],
      appeals: [{ id: 'a', reason: secretText, answered: { answer: 'upheld', reason: secretText } }],
      letters: [
        { letter: 'appealDecided', said: { appeal: { id: 'a', answer: 'upheld', reason: secretText } } },
        { letter: 'appealDecided', said: { appeal: { id: 'a', answer: 'upheld', reason: 'call the son' } } },
      ],
      decidedTwice: [],
      runs: [],
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

/** Fields of answers whose name is like that of a person's field, but that are of a company, a plan, a file, or a colleague. */
const impersonal = `
  name newKey.name oldKey.name views.name event.changes.name events.changes.name changes.name steps.file.name runs.name
  rule.name rules.rule.name byRule.name byRules.name decided.name proposal.name people.person
  claim.claim_medical_lines.procedure_name claim.group_name claim.type.name claim.members.employer.name
  claim.service_provider_address claim.service_provider_billing_address claim.service_provider_billing_name
  claim.service_provider_billing_phone connection.employerName connection.payerName connection.supportEmail
  connections.employerName connections.payerName connections.supportEmail employer.name employer.tenant_name_derived
  employer.eligible_payers.name employer.eligible_payers.short_name employer.payers.name employer.payers.short_name
  employer.support_email_derived employer.support_phone_derived employerName employers.name employers.tenantNames
  families.employerName member.accounts.name member.employer.name member.employer.eligible_payers.name
  member.employer.eligible_payers.short_name member.employer.payers.name member.employer.payers.short_name
  member.employer.support_email_derived member.employer.support_phone_derived member.employer.tenant_name_derived
  member.supportEmail member.tenant.name member.tenant.vendor_tenants.vendor.name
  member.vendor_members.vendor_tenant.vendor.name members.employer.name members.supportEmail members.tenant.name
  payerName payers.name policy.updateAddress redirectVendorName supportEmail tenant.name tenant.vendor_tenants.vendor.name tenants.name
  totals.employers.name validations.payerName`;
const byName = /name|email|patient|person|member|ssn|phone|address/i;

/** A value with every field of a schema, in which each text is its own path. */
function pathsOf(schema: z.core.$ZodType, path: string): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return pathsOf(def.innerType, path);
    case 'pipe':
      return pathsOf(def.in, path);
    case 'array':
      return [pathsOf(def.element, path)];
    case 'tuple':
      return def.items.map((item) => pathsOf(item, path));
    case 'union':
      return pathsOf(def.options[0] as z.core.$ZodType, path);
    case 'record':
      return {};
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).map(([name, inner]) => [name, pathsOf(inner, `${path}.${name}`)]),
      );
    case 'string':
      return path;
    default:
      return null;
  }
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

test('every answer is without names, emails, and IDs of people; the exceptions are known', async () => {
  const answers = Object.fromEntries(
    Object.entries(procedures).map(([name, { output }]) => [name, pathsOf(output, name)]),
  );
  const { call, set } = given(answers);
  await set(true);
  const asks = call as unknown as Record<string, (input: unknown) => Promise<{ value?: unknown }>>;
  const input = {
    workspaceId,
    by: 'status',
    field: 'status',
    fields: ['id'],
    layout: { columns: [] },
    act: {},
  };
  const shown: string[] = [];
  for (const name of Object.keys(procedures)) {
    if (/^(settings|keys|lock|sample|team|workspaces|audit|doctor|export|store|leases):/.test(name)) continue;
    const { value } = (await asks[name]?.(input)) ?? {};
    shown.push(...textsIn(value).filter((path) => byName.test(path.slice(path.lastIndexOf('.') + 1))));
  }
  expect([...new Set(shown.map((path) => path.replace(/^\w+:\w+\./, '')))].sort()).toEqual(
    impersonal.trim().split(/\s+/).sort(),
  );
});

test('letters of an answered appeal are as true as they are without privacy mode', async () => {
  const answered = { answer: 'upheld', reason: 'call the daughter' };
  const made = (reason: string) => ({
    letter: 'appealDecided',
    said: { appeal: { id: 'a', answer: 'upheld', reason } },
  });
  const { call, set } = given({
    'reviews:get': {
      ...{ reason: null, notes: [], decidedTwice: [], runs: [], documents: [], changes: [] },
      appeals: [{ id: 'a', reason: null, answered }],
      letters: [made(answered.reason), made('call the son')],
    },
  });
  await set(true);
  const { value } = (await call['reviews:get']({ workspaceId, claimId: 7 })) as {
    value: Output<'reviews:get'>;
  };
  const compared = compareAnswers(value.letters, value.appeals);
  expect(compared.map((made) => 'isAnsweredOtherwise' in made)).toEqual([false, true]);
  expect(JSON.stringify(value)).not.toMatch(/daughter|the son/);
});

test('the year of a family is the same, even for names in capitals or without accents', async () => {
  const people = {
    id: 7,
    ...{ first_name: 'Ann-Marie', last_name: 'Lée', phone_mobile: '(555) 010-9999' },
    dependents: [{ id: 70, first_name: 'Bo', last_name: 'Lee', relationship: 'child' }],
  };
  const claims = ['LEE, ANN MARIE', 'lee, bo', 'Bo Lee', 'Cy Doe'].map((patient_name, index) => ({
    ...{ id: index + 1, patient_name, status: 'Processed' },
    patient_responsibility: 10,
  }));
  const { call, set, asked } = given({
    'records:getMember': { member: people },
    'records:getWindow': { rows: claims, isStale: false },
  });
  const sum = async () => {
    const { value: read } = (await call['records:getMember']({ workspaceId, id: 7 })) as {
      value: { member: MemberRecord };
    };
    const { value } = (await call['records:getWindow']({
      workspaceId,
      snapshotId: 's',
      offset: 0,
      limit: 9,
    })) as {
      value: { rows: Parameters<typeof sumByPerson>[0] };
    };
    return {
      member: read.member,
      people: sumByPerson(value.rows, read.member).map(({ key, count }) => [key, count] as const),
    };
  };
  const clear = await sum();
  await set(true);
  const masked = await sum();
  expect(masked.people.slice(0, 2)).toEqual(clear.people.slice(0, 2));
  expect(masked.people.map(([, count]) => count)).toEqual(clear.people.map(([, count]) => count));
  expect(JSON.stringify(masked.member)).not.toMatch(/Ann|Lée|555|9999/);
  await call['views:save']({ workspaceId, name: 'v', query: JSON.stringify(masked.member) });
  expect(JSON.parse(asked.mock.lastCall?.[1].query)).toMatchObject(people);
});

const query = (entity: (typeof entities)[number]) => ({ entity, conditions: [], sort: [] });

test.each<ExportSource>([
  ...entities.map((entity) => ({ kind: 'list' as const, query: query(entity) })),
  { kind: 'claimLines', query: query('claims') },
  { kind: 'payments', query: query('claims') },
])('every personal column of $kind is masked', (source) => {
  const personal = exportColumnsOf(source).filter((column) => needsReason([column]));
  const shown = personal.filter(({ path }) => !isMaskedAtDesk(path)).map(({ path }) => path);
  expect(shown.filter((path) => !/(^|\.)(\$member_id|members\.id)$/.test(path))).toEqual([]);
});

test('a masked name can be sent back, word by word, even in the text of a view; an unknown mask is sent unchanged', async () => {
  const row = { id: 1, patient_name: 'O"NEIL, Ann', email: 'ann@example.com' };
  const { call, set, asked } = given({
    'records:getWindow': { rows: [row, { id: 2, patient_name: 'Ann Lee' }], isStale: false },
    'connect:planMember': { memberName: 'Ann Lee', sentence: 'Existing member matched: Ann Lee.' },
    'records:group': {
      groups: [
        { value: 7, label: 'Ann Lee' },
        { value: null, label: null },
      ],
      total: 2,
    },
  });
  const read = () => call['records:getWindow']({ workspaceId, snapshotId: 's', offset: 0, limit: 2 });
  await set(true);
  const { value } = (await read()) as unknown as { value: { rows: (typeof row)[] } };
  const [first, second] = value.rows;
  expect(first?.patient_name).toBe('••••₁"••••₂, ••••₃');
  expect(first?.email).toBe('••••₃′@••••₄.••••₅');
  expect(second?.patient_name).toMatch(/^••••₃ /);
  const query = {
    entity: 'claims' as const,
    conditions: [
      { field: 'patient_name', operator: 'is' as const, values: [first?.patient_name ?? '', '••••₉₉'] },
    ],
    sort: [],
  };
  await call['records:open']({ workspaceId, query });
  expect(asked.mock.lastCall?.[1].query.conditions[0].values).toEqual([row.patient_name, '••••₉₉']);
  await set(false);
  await call['views:save']({ workspaceId, name: 'v', query: JSON.stringify(query) });
  expect(JSON.parse(asked.mock.lastCall?.[1].query).conditions[0].values[0]).toBe(row.patient_name);
  await set(true);
  const planned = await call['connect:planMember']({ workspaceId } as never);
  const grouped = await call['records:group']({ workspaceId, query, by: 'members.id' });
  expect(JSON.stringify([planned, grouped])).not.toMatch(/Ann|Lee/);
  expect(JSON.stringify(planned)).toContain('Existing member matched: ••••₃');
});

test('files of pages, of groups by people, and of reports and runs with their names are refused', async () => {
  const { call, set } = given({});
  await set(true);
  const start = (source: ExportSource) =>
    call['export:start']({ workspaceId, source, format: 'csv', targetId: 't', columns: ['name', 'count'] });
  const identified = { path: 'name', label: 'Member', kind: 'text' as const, identifies: true as const };
  for (const source of [
    { kind: 'statements' as const, query: query('claims') },
    { kind: 'groups' as const, query: query('claims'), by: 'members.id' },
    { kind: 'report' as const, title: 'Owed back', columns: [identified], rows: [] },
  ])
    expect(await start(source)).toMatchObject({ ok: false, error: { code: 'desk.masked' } });
  expect(await start({ kind: 'groups', query: query('claims'), by: 'status' })).toMatchObject({ ok: true });
});

test('what duplicates, rules, changes of members and the file of a run show about people is masked', async () => {
  const who = 'Ann Lee';
  const condition = { field: 'patient_name', operator: 'is', values: [who] };
  const { call, set } = given({
    'duplicates:of': {
      pairs: [{ fields: [{ field: 'patient_name', left: who, right: who, agrees: true }] }],
    },
    'rules:explain': { proposal: { conditions: [{ condition, value: who }] }, decided: null },
    'reviews:get': {
      reason: null,
      notes: [],
      appeals: [],
      letters: [],
      decidedTwice: [{ decision: { reason: who } }],
      runs: [
        { state: 'left', reason: who },
        { state: 'inOther', reason: 'run-2' },
      ],
      documents: [],
      changes: [{ name: 'members', before: who, after: null }],
    },
    'rules:list': {
      rules: [
        {
          rule: {
            act: { kind: 'decision', reason: who },
            conditions: [condition, { field: 'status', values: ['Processed'] }],
          },
        },
      ],
    },
    'reviews:getUndo': { event: { fact: { kind: 'note', text: who }, changes: null } },
    'runs:preview': { rows: 1, first: [[who, '12.00']] },
    'runs:get': {
      totals: { members: [{ name: who }], employers: [{ name: 'Acme' }] },
      rejections: [{ member: who }],
    },
    'accumulators:family': { memberName: who, families: [{ persons: [{ name: who }] }] },
  });
  await set(true);
  const columns = [
    { field: 'memberLast' as const, header: 'Last' },
    { field: 'amount' as const, header: 'Amount' },
  ];
  const asks = call as unknown as Record<string, (input: unknown) => Promise<unknown>>;
  const answers = await Promise.all(
    [
      'duplicates:of',
      'rules:explain',
      'rules:list',
      'reviews:get',
      'reviews:getUndo',
      'runs:preview',
      'runs:get',
      'accumulators:family',
    ].map((name) => asks[name]?.({ workspaceId, layout: { columns } })),
  );
  const shown = JSON.stringify(answers);
  expect(shown).not.toMatch(/Ann|Lee/);
  expect(shown).toContain('Acme');
  expect(shown).toContain('12.00');
  expect(shown).toContain('run-2');
});
