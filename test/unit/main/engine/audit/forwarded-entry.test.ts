import { expect, test } from 'vitest';
import { auditActions, openDetailsOf } from '../../../../../src/contract/audit.ts';
import { toForwarded, toSyslogFrame } from '../../../../../src/main/engine/audit/forwarded-entry.ts';
import { readSyslogMessage } from '../../../../support/siem-receiver.ts';

const entry = {
  seq: 12,
  at: '2026-11-28T14:05:00.123Z',
  workspaceId: 'amelia-s-claims-ns870',
  actor: 'dana',
  hash: 'hmac:b2',
};
const computer = '0123456789abcdef';
const forward = (action: (typeof auditActions)[number], details: Record<string, string | number>) =>
  JSON.parse(toForwarded({ ...entry, action, details }, 'hmac:a1', computer).json);

test('an entry has its number, time, action, workspace, computer, counts and hashes', () => {
  expect(forward('records.listed', { list: 'claims', rows: 40, columns: 'claim.id claim.total' })).toEqual({
    ...{ seq: 12, at: entry.at, computer, action: 'records.listed', workspace: 'ns870' },
    details: { list: 'claims', rows: 40, columns: 'claim.id claim.total' },
    ...{ follows: 'hmac:a1', hash: 'hmac:b2' },
  });
});

/** Details that are about people, or that people typed. */
const personal = [
  ...['reason', 'email', 'author', 'author1', 'server', 'recordId', 'claimId', 'memberId', 'policyHolderId'],
  ...['employerId', 'tenantId', 'payerId', 'run', 'date', 'name', 'amount'],
];

test('no action leaves this computer with a detail about people, whatever the entry holds', () => {
  for (const action of auditActions) {
    expect(openDetailsOf(action).filter((name) => personal.includes(name))).toEqual([]);
    const details = Object.fromEntries(personal.map((name) => [name, 'Amelia']));
    expect(JSON.stringify(forward(action, details)), action).not.toMatch(/Amelia|dana/i);
  }
});

test('a workspace whose ID has no random end is not named', () => {
  const { json } = toForwarded(
    { ...entry, workspaceId: 'amelia', action: 'desk.locked', details: {} },
    '',
    '',
  );
  expect(JSON.parse(json).workspace).toBeNull();
});

test('a text that is not a code is left out, even if the detail is one of codes', () => {
  for (const text of ['dana@example.com', 'Amélie', 'O’Hara', 'why (urgent)', 'a  b', 'a\nb', ''])
    expect(forward('settings.changed', { names: text }).details).toEqual({});
  expect(forward('settings.changed', { names: 'auditYears lockAfterMinutes' }).details).toEqual({
    names: 'auditYears lockAfterMinutes',
  });
});

test('an action of a newer version is sent without details', () => {
  expect(forward('records.moved' as never, { list: 'claims' })).toMatchObject({
    ...{ action: 'records.moved', details: {} },
  });
});

test('each action is a syslog message of ASCII that a strict parser reads', () => {
  for (const action of auditActions) {
    const frame = toSyslogFrame(toForwarded({ ...entry, action, details: {} }, 'hmac:a1', computer));
    expect(frame).toMatch(/^[\x20-\x7e]+$/);
    const [length = ''] = frame.split(' ', 1);
    const message = frame.slice(length.length + 1);
    expect(message).toHaveLength(Number(length));
    expect(readSyslogMessage(message)).toMatchObject({ seq: 12, action });
  }
});
