import type { CarrierConnection } from '../../../contract/carrier-connections.ts';
import type { ConnectMember } from '../../../contract/connect-members.ts';
import type { ConnectionReply, PolicyHolderReply } from '../service/connect/connect-replies.ts';
import { assessConnection, maskUsername } from './assess-connection.ts';
import type { StoredConnection } from './connect-file.ts';

/**
 * Returns the stored form of a connection from a list, with only the first characters of the username. The list has
 * neither the carrier's reason nor the claims (docs/service.md, "Connect calls"), so these are kept from `before`, a
 * reason only for the same problem.
 */
export function toStored(
  reply: ConnectionReply,
  source: { readonly scope: string; readonly email: string; readonly readAt: string },
  before: StoredConnection | undefined,
): StoredConnection {
  const isSameProblem = before?.loginProblem === reply.login_problem;
  return {
    ...source,
    policyHolderId: reply.id,
    payerId: reply.payer_id,
    payerName: reply.payer?.name ?? null,
    payerGroupId: reply.payer?.payer_group_id ?? before?.payerGroupId ?? null,
    usernameHint: maskUsername(reply.username),
    loginProblem: reply.login_problem,
    needsCorrection: reply.login_needs_correction === true,
    correctionMessage: isSameProblem ? before.correctionMessage : null,
    lastSuccessAt: reply.last_successful_crawl_end,
    claimsSynced: before?.claimsSynced ?? null,
    newestClaimOn: before?.newestClaimOn ?? null,
    createdAt: reply.createddate,
    isRunning: reply.task_id !== null,
    verdict: before?.verdict ?? null,
    consent: before?.consent ?? null,
  };
}

/**
 * Returns the connection after `GET /policy_holder/{id}`. While a validation runs, all its fields are null, and the
 * stored values are kept.
 */
export function withHolder(
  stored: StoredConnection,
  reply: PolicyHolderReply,
  readAt: string,
): StoredConnection {
  if (reply.task_id !== null) return { ...stored, isRunning: true, readAt };
  const message = reply.login_correction_message?.trim() ?? '';
  return {
    ...stored,
    payerId: reply.payer_id ?? stored.payerId,
    loginProblem: reply.login_problem,
    needsCorrection: reply.login_needs_correction === true,
    correctionMessage: message === '' ? null : message,
    lastSuccessAt: reply.last_successful_crawl_end,
    claimsSynced: reply.claims_synced_count,
    newestClaimOn: reply.most_recent_claim_date,
    isRunning: false,
    readAt,
  };
}

/** A connection with its current meaning. */
export function toCarrierConnection(
  stored: StoredConnection,
  owner: ConnectMember | undefined,
  nowMs: number,
): CarrierConnection {
  const { scope: _scope, payerGroupId: _payerGroupId, verdict, ...fields } = stored;
  const isAccepted =
    verdict?.state === 'SUCCESS' && verdict.credentialsAreValid !== false && !verdict.isPending;
  // The validation succeeded without a problem: the login was accepted.
  const loginProblem = stored.loginProblem ?? (isAccepted ? 'valid' : null);
  return {
    ...fields,
    memberName: owner === undefined ? '' : `${owner.firstName} ${owner.lastName}`,
    employerName: owner?.employer.name ?? '',
    supportEmail: owner?.supportEmail ?? null,
    ...assessConnection({ ...stored, loginProblem }, nowMs),
  };
}
