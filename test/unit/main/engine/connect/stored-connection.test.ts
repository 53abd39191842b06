import { expect, test } from 'vitest';
import {
  toCarrierConnection,
  toStored,
  withHolder,
} from '../../../../../src/main/engine/connect/stored-connection.ts';
import {
  connectionSchema,
  policyHolderSchema,
} from '../../../../../src/main/engine/service/connect/connect-replies.ts';

const of = { scope: 's', email: 'dana@x.example', readAt: '2026-11-21T12:00:00.000Z' };
const listed = (part: object = {}) =>
  connectionSchema.parse({
    id: 7,
    payer_id: 11,
    username: 'dana.reyes',
    login_problem: 'invalid',
    login_needs_correction: true,
    payer: { name: 'Northern Mutual', logo_url: null, payer_group_id: 501 },
    last_successful_crawl_end: null,
    createddate: null,
    task_id: null,
    task_token: null,
    ...part,
  });
const holder = (part: object = {}) =>
  policyHolderSchema.parse({
    policy_holder_id: 7,
    payer_id: 11,
    login_problem: 'invalid',
    login_needs_correction: true,
    login_correction_message: ' Please enter them again. ',
    last_successful_crawl_end: '2026-11-01T00:00:00Z',
    claims_synced_count: 12,
    most_recent_claim_date: '2026-10-30',
    ...part,
  });

test('a list has everything except the reason and the claims; the username is masked', () => {
  expect(toStored(listed(), of, undefined)).toMatchObject({
    policyHolderId: 7,
    payerName: 'Northern Mutual',
    payerGroupId: 501,
    usernameHint: 'da…',
    needsCorrection: true,
    correctionMessage: null,
    claimsSynced: null,
  });
});

test('the connection itself adds the carrier’s reason, the claims and the newest', () => {
  const row = withHolder(toStored(listed(), of, undefined), holder(), 'later');
  expect(row).toMatchObject({
    correctionMessage: 'Please enter them again.',
    claimsSynced: 12,
    newestClaimOn: '2026-10-30',
    lastSuccessAt: '2026-11-01T00:00:00Z',
    readAt: 'later',
  });
  expect(JSON.stringify(row)).not.toContain('dana.reyes');
});

test('when a list is read again, the reason stays only for the same problem, the claims always', () => {
  const before = withHolder(toStored(listed(), of, undefined), holder(), 'later');
  expect(toStored(listed(), of, before)).toMatchObject({
    correctionMessage: 'Please enter them again.',
    claimsSynced: 12,
  });
  expect(toStored(listed({ login_problem: 'locked' }), of, before)).toMatchObject({
    correctionMessage: null,
    claimsSynced: 12,
  });
});

test('all null during validation removes nothing', () => {
  const before = withHolder(toStored(listed(), of, undefined), holder(), 'before');
  const running = holder({
    login_problem: null,
    claims_synced_count: null,
    task_id: 't',
    task_token: 'secret',
  });
  expect(withHolder(before, running, 'now')).toEqual({ ...before, isRunning: true, readAt: 'now' });
});

test.each([
  [{ claims_synced_count: -1 }, { claimsSynced: null }],
  [{ claims_synced_count: 'many' }, { claimsSynced: null }],
  [{ claims_synced_count: 0 }, { claimsSynced: 0 }],
  [{ login_correction_message: '   ' }, { correctionMessage: null }],
  [{ most_recent_claim_date: {} }, { newestClaimOn: null }],
])('%j is read as %j', (part, wanted) => {
  expect(withHolder(toStored(listed(), of, undefined), holder(part), 'now')).toMatchObject(wanted);
});

test('a view has the words of the table, and neither the scope nor the carrier’s group', () => {
  const row = withHolder(toStored(listed(), of, undefined), holder(), 'now');
  const view = toCarrierConnection(row, undefined, 0);
  expect(view).toMatchObject({ severity: 'critical', memberName: '', supportEmail: null });
  expect(Object.keys(view)).not.toContain('scope');
  expect(Object.keys(view)).not.toContain('payerGroupId');
});

test('a null login problem after a successful validation is an accepted login', () => {
  const row = withHolder(toStored(listed(), of, undefined), holder({ login_problem: null }), 'now');
  const none = { login_needs_correction: null, last_successful_crawl_end: null, claims_synced_count: null };
  const unconfirmed = withHolder(row, holder({ ...none, login_problem: null }), 'now');
  const success = { taskId: 't', state: 'SUCCESS', isPending: false, message: null } as const;
  const judged = (credentialsAreValid: boolean | null, more: object = {}) =>
    toCarrierConnection(
      { ...unconfirmed, verdict: { ...success, credentialsAreValid, ...more } },
      undefined,
      0,
    );
  expect(toCarrierConnection(unconfirmed, undefined, 0).sentence).toBe('No data from the carrier yet.');
  expect(judged(null)).toMatchObject({
    sentence: 'Connected. Claims haven’t arrived yet.',
    loginProblem: null,
  });
  for (const view of [judged(false), judged(null, { isPending: true }), judged(null, { state: 'FAILURE' })])
    expect(view.sentence).toBe('No data from the carrier yet.');
  expect(Object.keys(judged(true))).not.toContain('verdict');
  // It stays when the connection is read by a list.
  const again = toStored(listed(), of, {
    ...unconfirmed,
    verdict: { ...success, credentialsAreValid: true },
  });
  expect(again.verdict).toMatchObject({ state: 'SUCCESS' });
});
