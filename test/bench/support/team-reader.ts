import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { findArriving } from '../../../src/main/engine/team/find-arriving.ts';
import { followLeases, nextClaimMs } from '../../../src/main/engine/team/follow-leases.ts';
import { keepLive } from '../../../src/main/engine/team/keep-live.ts';
import { createNews } from '../../../src/main/engine/team/wait-for-news.ts';
import { openMember } from '../../support/team-member.ts';
import { startThreads } from './member-threads.ts';

// A colleague's computer as a process of its own. It joins a team, reads what there is, and follows it; it tells when its
// window names an act on many claims, and when its lists have the newest entry.

export type ToReader =
  | { readonly kind: 'join'; readonly invitation: string }
  /** Takes the next step of joining. */
  | { readonly kind: 'advance' }
  /** Reads until this number, and reviews of all claims, are in its lists. */
  | { readonly kind: 'read'; readonly number: number };
export type FromReader =
  | { readonly kind: 'asked'; readonly computer: string }
  | { readonly kind: 'advanced' | 'ready' }
  /** Milliseconds since 1970; the peak of the process's memory in MB, and its processor time while it read, in seconds. */
  | {
      readonly kind: 'read';
      readonly namedAt: number;
      readonly listedAt: number;
      readonly peakMb: number;
      readonly cpuSeconds: number;
      readonly reviews: number;
    };

const [folder = '', name = '', claims = '0'] = process.argv.slice(2);
const tell = (message: FromReader): void => void process.send?.(message);
const clock = { now: () => Date.now() };
const claimIds = Array.from({ length: Number(claims) }, (_none, index) => index + 1);
const member = openMember(folder, name, clock, { claimIds, onEnd: () => undefined });

/** The largest memory of this process since `forgetPeak`: what made its records does not count. */
const peakMb = (): number => {
  const [, kb = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Math.round(Number(kb) / 1_000);
};
function forgetPeak(): void {
  // Of the connections that made the records; in the app, only threads have any.
  for (const one of [member.opened.database, member.opened.readerConnection, member.file.database])
    one.pragma('shrink_memory');
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  writeFileSync('/proc/self/clear_refs', '5');
}

async function follow(number: number): Promise<void> {
  const endThreads = await startThreads(member);
  const { updateReviews } = member.ports;
  const session = await member.sessionOf();
  const { state } = session.log;
  const countReviews = member.opened.readerConnection.prepare('SELECT count(*) FROM claim_reviews').pluck();
  let namedAt = 0;
  const look = (): void => {
    if (namedAt === 0 && (findArriving(state) ?? leases.findSending()) !== null) namedAt = Date.now();
  };
  const leases = followLeases(session, {
    ...{ now: clock.now, nextMs: nextClaimMs, isLive: () => true, hasSentAll: async () => true },
    ...{ onChanged: () => undefined, onSending: look },
  });
  const listed = new Promise<number>((resolve) => {
    Object.assign(member.ports, {
      updateReviews: async (id: string) => {
        await updateReviews(id);
        if (state.position.number >= number && countReviews.get() === claimIds.length) resolve(Date.now());
      },
    });
  });
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const loop = keepLive(session, { ...member.ports, sleep }, createNews(session.client, leases.receive));
  tell({ kind: 'ready' });
  forgetPeak();
  const before = process.cpuUsage();
  const listedAt = await listed;
  const { user, system } = process.cpuUsage(before);
  await leases.end();
  await loop.end();
  // Before the bench itself reads all reviews.
  const peak = peakMb();
  await endThreads();
  const reviews = member.folds().length;
  tell({
    kind: 'read',
    namedAt: namedAt || listedAt,
    listedAt,
    peakMb: peak,
    cpuSeconds: (user + system) / 1e6,
    reviews,
  });
}

process.on('message', (message: ToReader) => {
  const run = async (): Promise<void> => {
    if (message.kind === 'read') return follow(message.number);
    if (message.kind === 'advance') {
      await member.advanceJoin();
      return tell({ kind: 'advanced' });
    }
    await member.join(message.invitation);
    tell({ kind: 'asked', computer: member.computer });
  };
  run().catch((thrown: unknown) => {
    process.stderr.write(`${String(thrown)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));
