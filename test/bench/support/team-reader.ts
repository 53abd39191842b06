import { keepLive } from '../../../src/main/engine/team/team-session.ts';
import { openMember } from '../../support/team-member.ts';

// A colleague's computer as a process of its own. It joins a team, reads what there is, and follows it; it tells when it
// has the newest entry, and when its lists have it.

export type ToReader =
  | { readonly kind: 'join'; readonly invitation: string }
  /** Reads until this number is in its lists. */
  | { readonly kind: 'read'; readonly number: number };
export type FromReader =
  | { readonly kind: 'asked'; readonly computer: string }
  | { readonly kind: 'ready' }
  /** Milliseconds since 1970; the peak of the process's memory in MB. */
  | {
      readonly kind: 'read';
      readonly namedAt: number;
      readonly listedAt: number;
      readonly peakMb: number;
      readonly reviews: number;
    };

const [folder = '', name = '', claims = '0'] = process.argv.slice(2);
const tell = (message: FromReader): void => void process.send?.(message);
const clock = { now: () => Date.now() };
const claimIds = Array.from({ length: Number(claims) }, (_none, index) => index + 1);
const member = openMember(folder, name, clock, { claimIds, onEnd: () => undefined });

/** The largest memory of this process. */
const peakMb = (): number => Math.round(process.resourceUsage().maxRSS / 1_000);

async function follow(number: number): Promise<void> {
  const session = await member.sessionOf();
  const { state } = session.log;
  const { settle } = member.ports;
  let namedAt = 0;
  const look = setInterval(() => {
    if (namedAt === 0 && state.position.number >= number) namedAt = Date.now();
  }, 2);
  const listed = new Promise<number>((resolve) => {
    Object.assign(member.ports, {
      settle: async (id: string) => {
        await settle(id);
        if (state.position.number >= number && state.waiting.size === 0) resolve(Date.now());
      },
    });
  });
  const loop = keepLive(session, {
    ...member.ports,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  tell({ kind: 'ready' });
  const listedAt = await listed;
  clearInterval(look);
  await loop.end();
  // Before the bench itself reads all reviews.
  const peak = peakMb();
  const reviews = member.folds().length;
  tell({ kind: 'read', namedAt: namedAt || listedAt, listedAt, peakMb: peak, reviews });
}

process.on('message', (message: ToReader) => {
  const run = async (): Promise<void> => {
    if (message.kind === 'read') return follow(message.number);
    await member.join(message.invitation);
    tell({ kind: 'asked', computer: member.computer });
  };
  run().catch((thrown: unknown) => {
    process.stderr.write(`${String(thrown)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => process.exit(0));
