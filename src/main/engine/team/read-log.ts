import { type Content, headPart, saltBytes } from '../../../team-protocol/commitment.ts';
import { type EntryHeader, headerOf, readHeader } from '../../../team-protocol/entry.ts';
import type { NumberedEntry } from '../../../team-protocol/frame.ts';
import { readMembership } from '../../../team-protocol/membership.ts';
import type { KeptMembership } from '../store/user-data/team-log.ts';
import { readPart } from './entry-parts.ts';
import type { EntryLine, LeftOutCause, LogLine, PartLine } from './log-lines.ts';
import { hasParts, toCertificateLine } from './log-lines.ts';
import { openContent } from './read-event.ts';
import type { TeamClient } from './team-client.ts';
import { type MemberPorts, readMembers } from './team-members.ts';

/** Finds why content of entries of a page is left out, by their number. */
export type FindLeftOut = (page: readonly OpenedEvent[]) => Promise<ReadonlyMap<number, LeftOutCause>>;

/** An event of the log whose head could be opened. */
export interface OpenedEvent {
  readonly number: number;
  readonly head: Content;
  /** Reads the parts from the server; nothing is cached. */
  readParts(): AsyncIterable<PartLine['content']>;
}

/** The pages of entries of the server's log; `read` requests the one after a number. */
export async function* readPages(
  read: (after: number) => Promise<NumberedEntry[]>,
): AsyncGenerator<NumberedEntry[]> {
  for (let page = await read(0); page.length > 0; page = await read(page.at(-1)?.number ?? 0)) yield page;
}

/** All entries of a kind of the server's log. @throws DeskError `team.*` */
export async function readKind(
  client: TeamClient,
  kind: 'membership' | 'removal' | 'checkpoint',
): Promise<NumberedEntry[]> {
  const read: NumberedEntry[] = [];
  for await (const page of readPages((after) => client.entries(after, { kind }))) read.push(...page);
  return read;
}

export const toKeptMembership = ({ number, header, head, signature }: NumberedEntry): KeptMembership => ({
  ...{ number, header, head },
  signature: Buffer.from(signature).toString('base64url'),
});

/** All memberships of the server's log. @throws DeskError `team.*` */
export const readMemberships = async (client: TeamClient): Promise<KeptMembership[]> =>
  (await readKind(client, 'membership')).map(toKeptMembership);

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/**
 * Reads the server's log from its first entry to the newest one, as lines, with the content that this computer can
 * open, except what the caller leaves out. It needs memory for one page, or for one part.
 * @throws DeskError `team.*`
 */
export async function* readLog(
  ports: {
    readonly client: TeamClient;
    readonly team: string;
    readonly members: MemberPorts;
    readonly exportedAt: string;
  },
  findLeftOut?: FindLeftOut,
): AsyncGenerator<LogLine> {
  const { client, team, exportedAt } = ports;
  const memberships = await readMemberships(client);
  const { number: last, hash } = await client.head();
  const { keys } = await readMembers(memberships, ports.members);
  yield { log: { version: 1, team, number: last, hash, exportedAt } };
  for (const { number, header: text, head } of memberships) {
    const header = readHeader(text);
    const act = header === null ? null : readMembership(header, head);
    const line = act === null ? null : toCertificateLine(number, act);
    if (line !== null && number <= last) yield line;
  }

  const isFiltered = findLeftOut !== undefined;
  const readParts = async function* (
    { parts }: NumberedEntry,
    header: EntryHeader,
  ): AsyncGenerator<PartLine['content']> {
    for (const part of header.parts.keys()) {
      const sealed = parts[part] ?? (await readPart(client, header, part, keys));
      if (sealed === null) yield { leftOut: 'notSent' };
      else {
        const opened = openContent(header, sealed, part, keys);
        const salt = header.kind === 'removal' && opened !== null ? { salt: toBase64(opened.salt) } : {};
        yield opened === null ? { leftOut: 'unreadable' } : { text: opened.text, ...salt };
      }
    }
  };
  const openEvent = (entry: NumberedEntry): OpenedEvent[] => {
    const header = headerOf(entry);
    const head = header?.kind === 'event' ? openContent(header, entry.head, headPart, keys) : null;
    if (header === null || head === null) return [];
    return [{ number: entry.number, head, readParts: () => readParts(entry, header) }];
  };

  const readUntil = async (after: number): Promise<NumberedEntry[]> =>
    after < last ? (await client.entries(after)).filter(({ number }) => number <= last) : [];
  for await (const page of readPages(readUntil)) {
    const events = new Map(page.flatMap(openEvent).map((event) => [event.number, event]));
    const leftOut = (await findLeftOut?.([...events.values()])) ?? new Map();
    for (const entry of page) {
      const { number } = entry;
      const header = headerOf(entry);
      const event = events.get(number);
      const reason = leftOut.get(number);
      const content: EntryLine['content'] =
        header !== null && header.kind !== 'event'
          ? {
              salt: toBase64(entry.head.subarray(0, saltBytes)),
              head: toText(entry.head.subarray(saltBytes)),
            }
          : event === undefined || reason !== undefined
            ? { leftOut: entry.head.length === 0 ? 'removedForTeam' : (reason ?? 'unreadable') }
            : { salt: toBase64(event.head.salt), head: event.head.text };
      const line: EntryLine = {
        ...{ number, hash: entry.hash, header: entry.header, signature: toBase64(entry.signature), content },
      };
      yield { entry: line };
      if (header?.kind === 'removal') {
        let part = 0;
        for await (const removalPart of readParts(entry, header)) {
          // The rests of events are in the file only if no content is checked.
          const content = part > 0 && isFiltered ? ({ leftOut: 'removed' } as const) : removalPart;
          yield { part: { number, part, content } };
          part += 1;
        }
      }
      if (event === undefined || header === null || !hasParts(line, header)) continue;
      let part = 0;
      for await (const eventPart of event.readParts()) {
        yield { part: { number, part, content: eventPart } };
        part += 1;
      }
    }
  }
}
