import type { ConnectionWire, ConnectUser } from '../schemas/connect-replies.ts';
import type { Service } from '../service.ts';
import { findPayer } from './payers.ts';
import type { BootstrappedMember, Connection, Realm } from './realm.ts';
import { needsCorrection } from './realm.ts';

/** `data.user` of the bootstrap and of fix-credentials: the member with their connections. docs/service.md, "Connect calls". */
export async function describeUser(
  service: Service,
  realm: Realm,
  member: BootstrappedMember,
): Promise<ConnectUser> {
  const { person } = member.employments[0] as BootstrappedMember['employments'][number];
  const connections = realm.connectionsOf(member);
  return {
    id: member.userId,
    email: member.email,
    first_name: person.firstName,
    last_name: person.lastName,
    policy_holders: await Promise.all(
      connections.map((connection) => describeConnection(service, connection)),
    ),
  };
}

async function describeConnection(service: Service, connection: Connection): Promise<ConnectionWire> {
  const payer = findPayer(connection.payerId);
  const token = await freshTaskToken(service, connection);
  return {
    id: connection.id,
    payer_id: connection.payerId,
    username: connection.username,
    login_problem: connection.loginProblem,
    login_needs_correction: token === null ? needsCorrection(connection.loginProblem) : null,
    payer: {
      name: payer?.name ?? '',
      logo_url: payer?.logoUrl ?? null,
      ...(service.connect.settings.payerGroups === 'lists' ? { payer_group_id: payer?.groupId ?? null } : {}),
    },
    last_successful_crawl_end: connection.lastCrawlEnd,
    createddate: connection.createdDate,
    task_id: token === null ? null : connection.taskId,
    task_token: token,
  };
}

/** `GET /policy_holder/{id}`. */
export async function describePolicyHolder(
  service: Service,
  realm: Realm,
  member: BootstrappedMember,
  connection: Connection,
) {
  const token = await freshTaskToken(service, connection);
  const isRunning = token !== null;
  const claims = realm.directory.claimsOf(connection.id);
  return {
    policy_holder_id: connection.id,
    uuid: connection.uuid,
    payer_id: connection.payerId,
    login_problem: isRunning ? null : connection.loginProblem,
    login_needs_correction: isRunning ? null : needsCorrection(connection.loginProblem),
    login_correction_message: isRunning ? null : connection.correctionMessage,
    last_successful_crawl_end: isRunning ? null : connection.lastCrawlEnd,
    claims_synced_count: isRunning ? null : claims.count,
    most_recent_claim_date: isRunning ? null : claims.newestDate,
    members: member.employments
      .filter(({ person }) => person.memberId === connection.memberId)
      .map(({ person }) => ({
        id: person.memberId,
        first_name: person.firstName,
        last_name: person.lastName,
      })),
    ...(isRunning ? { task_id: connection.taskId, task_token: token } : {}),
  };
}

/** A token for the stream of the running validation; null where there is none. */
async function freshTaskToken(service: Service, connection: Connection): Promise<string | null> {
  const { connect, clock } = service;
  const task = connection.taskId === null ? undefined : connect.validations.find(connection.taskId);
  if (task === undefined || connection.taskId !== task.id) return null;
  return connect.tokens.mint('task', task.id, clock.serverNowMs());
}
