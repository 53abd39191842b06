import { createHmac } from 'node:crypto';
import type { TeamComputer } from '../../../contract/team.ts';
import type { TeamFact } from '../../../rules/review/event-kinds.ts';
import { readFact } from '../../../rules/review/fold-review.ts';
import { findMember, listMembers } from '../../../team-protocol/membership.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';

type ComputerFact = Extract<TeamFact, { kind: 'computer' }>;
type Of = Pick<TeamSession, 'workspaceId' | 'log' | 'computer'>;

/** The shortest time between two entries that state the end of this computer's audit log. */
const witnessMs = 3_600_000;

/**
 * The employers of the records here: their number, and a digest that only members can make. Undefined before the first
 * sync, when there is nothing to compare.
 */
async function readEmployers(
  { getStore }: Pick<TeamPorts, 'getStore'>,
  { workspaceId, log }: Of,
): Promise<ComputerFact['employers']> {
  const key = log.state.members.keys.get(1);
  if (key === undefined) return undefined;
  const store = await getStore(workspaceId);
  const ids = await store.read('listEmployerIds', null);
  if (ids.length === 0 && (await store.read('readNotedRead', null)) === null) return undefined;
  const digest = createHmac('sha256', key)
    .update(`employers\n${ids.join('\n')}`)
    .digest('base64url');
  return { count: ids.length, digest: digest.slice(0, 22) };
}

async function readComputerFacts({ getUserData }: Pick<TeamPorts, 'getUserData'>, workspaceId: string) {
  const rows = await (await getUserData(workspaceId)).call('readComputerFacts', { workspaceId });
  return rows.flatMap(({ fact: text, ...row }) => {
    const fact = readFact(text);
    return fact?.kind === 'computer' ? [{ ...row, fact }] : [];
  });
}

/**
 * Sends the team this computer's version and the state of its records if they changed, and at most once an hour the
 * newest entry of its audit log, which is evidence if the log is later cut off. Returns whether anything was sent; a
 * reader of the team sends nothing.
 */
export async function sendOwnState(ports: TeamPorts, session: Of): Promise<boolean> {
  const { workspaceId, computer, log } = session;
  if (!['admin', 'reviewer'].includes(findMember(log.state.members.members, computer)?.role ?? ''))
    return false;
  const [employers, audit, facts, version] = await Promise.all([
    readEmployers(ports, session),
    ports.readAuditEnd(),
    readComputerFacts(ports, workspaceId),
    ports.main.getVersion(),
  ]);
  const before = facts.find((row) => row.computer === computer);
  const isDue =
    audit !== null &&
    audit.seq !== before?.fact.audit?.seq &&
    Date.parse(before?.at ?? '1970-01-01') + witnessMs <= ports.now(workspaceId);
  const isOther = employers !== undefined && employers.digest !== before?.fact.employers?.digest;
  if (!isDue && !isOther && version === before?.fact.version) return false;
  await ports.appendTeamFact(workspaceId, {
    ...{ kind: 'computer', version },
    ...(employers === undefined ? {} : { employers }),
    ...(audit === null ? {} : { audit }),
  });
  return true;
}

/**
 * The computers of the team, and whether their records have the same employers as the records here; if not, their
 * counts can differ.
 */
export async function listComputers(ports: TeamPorts, session: Of): Promise<TeamComputer[]> {
  const { members } = session.log.state.members;
  if (members === null) return [];
  const ownEmployers = await readEmployers(ports, session);
  const ownVersion = await ports.main.getVersion();
  const facts = new Map(
    (await readComputerFacts(ports, session.workspaceId)).map((row) => [row.computer, row]),
  );
  return listMembers(members).map(({ computer, email }) => {
    const isThis = computer === session.computer;
    const row = facts.get(computer);
    const employers = isThis ? ownEmployers : row?.fact.employers;
    const { seq = null } = row?.fact.audit ?? {};
    return {
      ...{ computer, email, isThis, employers: employers?.count ?? null },
      hasSameEmployers: employers === undefined || employers.digest === ownEmployers?.digest,
      version: isThis ? ownVersion : (row?.fact.version ?? null),
      auditMissingFrom: seq !== null && seq < (row?.topSeq ?? 0) ? seq + 1 : null,
    };
  });
}
