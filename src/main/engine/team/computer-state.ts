import { createHmac } from 'node:crypto';
import type { TeamFact } from '../../../contract/review.ts';
import type { TeamComputer } from '../../../contract/team.ts';
import { findMember, listMembers } from '../../../team-protocol/membership.ts';
import { readFact } from '../store/user-data/fold-review.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';

type ComputerFact = Extract<TeamFact, { kind: 'computer' }>;
type Of = Pick<TeamSession, 'workspaceId' | 'log' | 'computer'>;

/** How often a computer has the team witness the newest entry of its audit log. */
const witnessMs = 3_600_000;

/** The employers of the records here: their number, and a digest that only members can make. */
async function readEmployers(
  { getStore }: Pick<TeamPorts, 'getStore'>,
  { workspaceId, log }: Of,
): Promise<ComputerFact['employers']> {
  const key = log.state.members.keys.get(1);
  if (key === undefined) return undefined;
  const ids = await (await getStore(workspaceId)).read('listEmployerIds', null);
  const digest = createHmac('sha256', key)
    .update(`employers\n${ids.join('\n')}`)
    .digest('base64url');
  return { count: ids.length, digest: digest.slice(0, 22) };
}

async function readComputerFacts({ getUserData }: Pick<TeamPorts, 'getUserData'>, workspaceId: string) {
  const rows = await (await getUserData(workspaceId)).call('readComputerFacts', { workspaceId });
  return rows.flatMap(({ fact: text, ...one }) => {
    const fact = readFact(text);
    return fact?.kind === 'computer' ? [{ ...one, fact }] : [];
  });
}

/**
 * Tells the team what this computer's records have, where that changed, and at most once an hour the newest entry of its
 * audit log, where there is a newer one. Whoever cuts the log back later can't take back what the team has. Returns whether
 * there was anything to tell; a reader of the team tells nothing.
 */
export async function tellOwnState(ports: TeamPorts, session: Of): Promise<boolean> {
  const { workspaceId, computer, log } = session;
  if (!['admin', 'reviewer'].includes(findMember(log.state.members.members, computer)?.role ?? ''))
    return false;
  const [employers, audit, facts] = await Promise.all([
    readEmployers(ports, session),
    ports.readAuditEnd(),
    readComputerFacts(ports, workspaceId),
  ]);
  const before = facts.find((one) => one.computer === computer);
  const isDue =
    audit !== null &&
    audit.seq !== before?.fact.audit?.seq &&
    Date.parse(before?.at ?? '1970-01-01') + witnessMs <= ports.now(workspaceId);
  const isOther = employers !== undefined && employers.digest !== before?.fact.employers?.digest;
  if (!isDue && !isOther) return false;
  await ports.appendTeamFact(workspaceId, {
    kind: 'computer',
    ...(employers === undefined ? {} : { employers }),
    ...(audit === null ? {} : { audit }),
  });
  return true;
}

/** The computers of the team, with how their records differ from those here, by which counts can differ. */
export async function listComputers(ports: TeamPorts, session: Of): Promise<TeamComputer[]> {
  const { members } = session.log.state.members;
  if (members === null) return [];
  const own = await readEmployers(ports, session);
  const facts = new Map(
    (await readComputerFacts(ports, session.workspaceId)).map(({ computer, fact }) => [computer, fact]),
  );
  return listMembers(members).map(({ computer, email }) => {
    const isThis = computer === session.computer;
    const employers = isThis ? own : facts.get(computer)?.employers;
    return {
      ...{ computer, email, isThis, employers: employers?.count ?? null },
      hasSameEmployers: employers === undefined || employers.digest === own?.digest,
    };
  });
}
