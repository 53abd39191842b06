import { digestClaims, digestEvents, type MadeCheckpoint } from '../../../team-protocol/checkpoint.ts';
import { headerOf, readHeader } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { DeskError } from '../../lib/errors.ts';
import { hasRules, noRules } from '../store/sync/retention.ts';
import type { Counting } from '../store/user-data/counting-events.ts';
import type { BehindPosition } from '../store/user-data/team-checkpoints.ts';
import type { CheckpointReader } from './checkpoint-lines.ts';
import { createDecidedMeanwhile } from './decided-meanwhile.ts';
import { readParts } from './entry-parts.ts';
import { judgePage } from './judge-page.ts';
import type { LogState, OpenedLog } from './log-state.ts';
import { actOf, createMembersAt, readNextPart, WrongCheckpoint } from './read-checkpoint.ts';
import { writePage } from './write-page.ts';

/** How long what is read of a page and the parts of its entries may be, sealed. */
const maxReadBytes = 16_000_000;

/** The events up to a number that count, by what is here: their rows, those of early claims first. */
export async function readCountingHere(
  { ports, userData, state }: Pick<OpenedLog, 'ports' | 'userData' | 'state'>,
  upTo: number,
  earlyFrom: string,
): Promise<{ early: number[]; others: number[]; late: number[]; digest: string }> {
  const { workspaceId, members } = ports;
  const computer = state.members.members?.computers.get(members.computer)?.signingKey ?? '';
  const [early, others] = [new Set<number>(), new Set<number>()];
  const late: number[] = [];
  for (let after: number | null = null; ; ) {
    const page: Counting = await userData.call('readCounting', {
      workspaceId,
      upTo,
      computer,
      earlyFrom,
      after,
    });
    for (const seq of page.early) early.add(seq);
    for (const seq of page.others) others.add(seq);
    for (const claimId of page.late) late.push(claimId);
    if (page.next === null) break;
    after = page.next;
  }
  const rest = [...others].filter((seq) => !early.has(seq));
  const digest = digestEvents(
    await userData.call('listNumbered', { workspaceId, seqs: [...early, ...rest] }),
  );
  return { early: [...early], others: rest, late, digest };
}

/** Whether nothing of the team's reviews was removed from this computer alone. */
export async function hasAll({ ports }: Pick<OpenedLog, 'ports'>): Promise<boolean> {
  const store = await ports.getStore(ports.workspaceId);
  return !hasRules({ ...noRules, ...(await store.read('readRetention', null)) });
}

/** How far a computer that began with a checkpoint is; see `TeamStatus`. */
export function findEarlier({ behind }: Pick<LogState, 'behind'>): 'reading' | 'checking' | null {
  if (behind === null) return null;
  return behind.parts < (readHeader(behind.header)?.parts.length ?? 0) ? 'reading' : 'checking';
}

/** Fetches the parts that came by themselves, until what was read is long; the entries after that are left for later. */
async function withParts(
  { client, state }: OpenedLog,
  page: readonly NumberedEntry[],
): Promise<readonly NumberedEntry[]> {
  let bytes = 0;
  for (const [index, entry] of page.entries()) {
    const header = headerOf(entry);
    // A checkpoint before this one is of no use any more.
    if (header === null || header.kind === 'checkpoint' || !entry.parts.includes(null)) continue;
    if (bytes > maxReadBytes) return page.slice(0, index);
    const parts = await readParts(client, header, entry.parts, state.members.keys);
    Object.assign(entry, { parts });
    bytes += parts.reduce((sum, part) => sum + (part?.length ?? 0), 0);
  }
  return page;
}

/** The state of the log before the checkpoint; what both have in common is that of the log itself. */
function openBehind(
  { state }: OpenedLog,
  members: LogState['members'],
  number: number,
  hash: string,
): LogState {
  const behind: LogState = Object.create(state) as LogState;
  Object.defineProperty(behind, 'removals', {
    get: () => state.removals,
    set: (removals: LogState['removals']) => {
      state.removals = removals;
    },
  });
  return Object.assign(behind, {
    position: { ...state.position, number, hash },
    members: { ...members, keys: state.members.keys },
    decided: createDecidedMeanwhile(() => 0),
  });
}

/**
 * Reads what a computer that began with a checkpoint lacks: first the rest of that, then the log before it, which is checked
 * as any other. At its end the checkpoint is compared with the log.
 */
export function createBehindReader(log: OpenedLog) {
  const { client, ports, userData, state } = log;
  const { workspaceId } = ports;
  let membersAt: CheckpointReader['membersAt'] | null = null;
  let before: LogState | null = null;

  const compare = async ({ number, hash, from, events, late }: MadeCheckpoint): Promise<void> => {
    if (before?.position.number !== number || before.position.hash !== hash) throw new WrongCheckpoint();
    if (!(await hasAll(log)) || state.removals.all.length > 0) return;
    const here = await readCountingHere(log, number, from);
    if (here.digest !== events || digestClaims(here.late) !== late) throw new WrongCheckpoint();
  };
  /** Reads a page of the log before the checkpoint. */
  const readPage = async (act: MadeCheckpoint, behind: BehindPosition): Promise<BehindPosition> => {
    const { number, hash } = behind;
    before ??= openBehind(log, (membersAt as CheckpointReader['membersAt'])(number), number, hash);
    // All of it was read, and the program ended before it was compared.
    if (number === act.number) return behind;
    const whole = (await client.entries(number)).filter((entry) => entry.number <= act.number);
    if (whole.length === 0) throw new WrongCheckpoint();
    const page = await withParts(log, whole);
    const ofBefore = { ...log, state: before };
    const judged = await judgePage(ofBefore, page, { position: before.position, members: before.members });
    const at = judged.position;
    const next = { ...behind, number: at.number, hash: at.hash };
    await writePage(ofBefore, page.slice(0, at.number - number), judged, { behind: next, isBehind: true });
    return next;
  };

  return {
    /** Whether claims that are open are still to be read. */
    isEarly: (): boolean => state.behind !== null && state.behind.parts < actOf(state.behind).early,
    /** Reads some more. @throws WrongCheckpoint; DeskError `team.*`, `store.*` */
    async read(): Promise<void> {
      const { behind } = state;
      if (behind === null) return;
      membersAt ??= await createMembersAt(log);
      const count = readHeader(behind.header)?.parts.length ?? 0;
      if (behind.parts < count) return readNextPart(log, membersAt);
      const act = actOf(behind);
      state.behind = await readPage(act, behind);
      if (state.behind.number < act.number) return;
      await compare(act);
      await userData.call('endBehind', { workspaceId });
      state.behind = null;
    },
    forget(): void {
      [membersAt, before] = [null, null];
    },
  };
}

export const checkpointDiffers = (): DeskError => new DeskError('team.checkpointDiffers');
