import { readFact } from '../../../rules/review/fold-review.ts';
import { findMember } from '../../../team-protocol/membership.ts';
import { DeskError } from '../../lib/errors.ts';
import type { KeptFact } from '../store/user-data/kept-facts.ts';
import type { OtherLog } from '../store/user-data/other-logs.ts';
import { isReader } from './require-writer.ts';
import type { TeamPorts, TeamSession } from './team-ports.ts';

/** A computer's report that a server's log went back to an earlier one. */
interface WentBack extends Pick<KeptFact, 'at' | 'author'> {
  /** Its entry; null: not sent yet. */
  readonly number: number | null;
  readonly from: number;
  readonly to: number;
}

type Ports = Pick<TeamPorts, 'getUserData'>;

async function readWentBack({ getUserData }: Ports, workspaceId: string): Promise<WentBack[]> {
  const { kept, unsent } = await (await getUserData(workspaceId)).call('readTeamFacts', {
    workspaceId,
    kind: 'wentBack',
  });
  const all = [...kept, ...unsent.map((fact) => ({ ...fact, number: null }))];
  return all.flatMap(({ number, at, author, fact: text }) => {
    const fact = readFact(text);
    return fact?.kind === 'wentBack' ? [{ number, at, author, from: fact.from, to: fact.to }] : [];
  });
}

/** Whether a computer reported that its log went back past this number. */
export const isExplained = (number: number, all: readonly Pick<WentBack, 'from' | 'to'>[]): boolean =>
  all.some(({ from, to }) => to < number && number <= from);

/**
 * Reports to the team, once everything that the server lost was sent again, that its log went back from where this
 * computer had read it, unless another computer has reported the same since.
 */
export async function sayWentBack(
  ports: TeamPorts,
  session: Pick<TeamSession, 'workspaceId' | 'log' | 'computer'>,
) {
  const { state } = session.log;
  if (!state.hasWentBack || isReader(session)) return;
  const { workspaceId } = session;
  const userData = await ports.getUserData(workspaceId);
  const rewound = await userData.call('readRewound', { workspaceId });
  if (rewound !== null) {
    const { readUpTo: from, common: to } = rewound;
    const isSaid = ({ number, ...said }: WentBack): boolean =>
      said.from >= from && said.to <= to && (number === null || number > to);
    if (!(await readWentBack(ports, workspaceId)).some(isSaid))
      await ports.appendTeamFact(workspaceId, { kind: 'wentBack', from, to });
    await userData.call('forgetRewound', { workspaceId });
  }
  state.hasWentBack = false;
}

/** The known facts about other logs than this one. */
interface KnownLogs {
  /** When the server's log last went back, by the computer that reported it. */
  readonly wentBack: WentBack | null;
  /** The positions of another log that authors had read, and that no computer explains. */
  readonly unexplained: readonly OtherLog[];
}

/**
 * Hides on this computer what authors had read of other logs, up to the last number that is shown: an admin knows why.
 * `team:verify` still finds it. @throws DeskError `team.notAdmin`
 */
export async function dismissOtherLogs(
  ports: Pick<TeamPorts, 'getUserData' | 'auditAction'>,
  { workspaceId, computer, log }: Pick<TeamSession, 'workspaceId' | 'computer' | 'log'>,
): Promise<void> {
  if (findMember(log.state.members.members, computer)?.role !== 'admin') throw new DeskError('team.notAdmin');
  const { unexplained } = await readKnownLogs(ports, workspaceId);
  const last = unexplained.at(-1);
  if (last === undefined) return;
  const userData = await ports.getUserData(workspaceId);
  await userData.call('dismissOtherLogs', { workspaceId, upTo: last.number });
  const details = { author: unexplained[0]?.author ?? '', number: unexplained[0]?.number ?? 0 };
  await ports.auditAction(workspaceId, 'team.logsDismissed', details);
}

export async function readKnownLogs(ports: Ports, workspaceId: string): Promise<KnownLogs> {
  const said = await readWentBack(ports, workspaceId);
  const others = await (await ports.getUserData(workspaceId)).call('readOtherLogs', { workspaceId });
  return {
    wentBack: said.reduce<WentBack | null>(
      (last, entry) => (last === null || entry.at > last.at ? entry : last),
      null,
    ),
    unexplained: others.filter(({ number }) => !isExplained(number, said)),
  };
}
