import { digestEvents, type MadeCheckpoint } from '../../../team-protocol/checkpoint.ts';
import { headerOf, readHeader } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { DeskError } from '../../lib/errors.ts';
import { hasRules, noRules } from '../store/sync/retention.ts';
import type { BehindPosition } from '../store/user-data/team-checkpoints.ts';
import { checkPage } from './check-entries.ts';
import type { CheckpointReader } from './checkpoint-lines.ts';
import { createDecidedMeanwhile } from './decided-meanwhile.ts';
import { readParts } from './entry-parts.ts';
import type { LogState, OpenedLog } from './log-state.ts';
import { actOf, createMembersAt, readNextPart, WrongCheckpoint } from './read-checkpoint.ts';
import { writePage } from './write-page.ts';

/** The most bytes, sealed, that are read of a page and the parts of its entries. */
const maxReadBytes = 16_000_000;

/** The rows of the events up to a number that count, by what is here. */
export async function readCountingHere(
  { ports, userData, state }: Pick<OpenedLog, 'ports' | 'userData' | 'state'>,
  upTo: number,
): Promise<{ seqs: number[]; digest: string }> {
  const { workspaceId, members } = ports;
  const computer = state.members.members?.computers.get(members.computer)?.signingKey ?? '';
  const all = new Set<number>();
  for (let after: number | null = null; ; ) {
    const range = { workspaceId, upTo, computer, after };
    const page: { seqs: number[]; next: number | null } = await userData.call('readCounting', range);
    for (const seq of page.seqs) all.add(seq);
    if (page.next === null) break;
    after = page.next;
  }
  const seqs = [...all];
  const { numbers, hashes } = await userData.call('listNumbered', { workspaceId, seqs });
  return { seqs, digest: digestEvents(numbers, Buffer.from(hashes)) };
}

/** Whether none of the team's reviews was removed only from this computer. */
export async function hasAll({ ports }: Pick<OpenedLog, 'ports'>): Promise<boolean> {
  const store = await ports.getStore(ports.workspaceId);
  return !hasRules({ ...noRules, ...(await store.read('readRetention', null)) });
}

/** How far this computer has read the log of its team; see `TeamStatus`. */
export function findEarlier({ position, behind }: Pick<LogState, 'position' | 'behind'>) {
  if (position.isRead === 0) return 'reading';
  return behind === null ? null : 'checking';
}

/** Fetches the parts that were sent separately, until what was read is long; later entries are left for later. */
async function withParts(
  { client, state }: OpenedLog,
  page: readonly NumberedEntry[],
): Promise<readonly NumberedEntry[]> {
  let bytes = 0;
  for (const [index, entry] of page.entries()) {
    const header = headerOf(entry);
    // Checkpoints before this one are no longer needed.
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

const countParts = ({ header }: BehindPosition): number => readHeader(header)?.parts.length ?? 0;

/**
 * Reads what a computer that began with a checkpoint lacks: first the rest of the checkpoint, then the log before it,
 * which is checked like any other. At its end, the checkpoint is compared with the log.
 */
export function createBehindReader(log: OpenedLog) {
  const { client, ports, userData, state } = log;
  const { workspaceId } = ports;
  let membersAt: CheckpointReader['membersAt'] | null = null;
  let before: LogState | null = null;

  const compare = async ({ number, hash, events }: MadeCheckpoint): Promise<void> => {
    if (before?.position.number !== number || before.position.hash !== hash) throw new WrongCheckpoint();
    if (!(await hasAll(log)) || state.removals.all.length > 0) return;
    const here = await readCountingHere(log, number);
    if (here.digest !== events) throw new WrongCheckpoint();
  };
  /** Reads a page of the log before the checkpoint. */
  const readPage = async (act: MadeCheckpoint, behind: BehindPosition): Promise<BehindPosition> => {
    const { number, hash } = behind;
    before ??= openBehind(log, (membersAt as CheckpointReader['membersAt'])(number), number, hash);
    // All of it was read, but the program ended before the comparison.
    if (number === act.number) return behind;
    const whole = (await client.entries(number)).filter((entry) => entry.number <= act.number);
    if (whole.length === 0) throw new WrongCheckpoint();
    const page = await withParts(log, whole);
    const ofBefore = { ...log, state: before };
    const checked = await checkPage(ofBefore, page, { position: before.position, members: before.members });
    const at = checked.position;
    const next = { ...behind, number: at.number, hash: at.hash };
    await writePage(ofBefore, page.slice(0, at.number - number), checked, { behind: next, isBehind: true });
    return next;
  };

  return {
    /** Whether parts of the checkpoint are still to be read. */
    hasParts: (): boolean => state.behind !== null && state.behind.parts < countParts(state.behind),
    /** Reads some more. @throws WrongCheckpoint; DeskError `team.*`, `store.*` */
    async read(): Promise<void> {
      const { behind } = state;
      if (behind === null) return;
      membersAt ??= await createMembersAt(log);
      if (behind.parts < countParts(behind)) return readNextPart(log, membersAt);
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
