import type { Paging } from '../http/paging.ts';
import { envelopeOf, PER_PAGE_DEFAULT } from '../http/paging.ts';
import type { Envelope } from '../schemas/reply.ts';
import type { RequestFaults } from './active-faults.ts';
import { addUnknownFields, dropFields, hugeString, setWrongTypes } from './record-faults.ts';

/** The most rows sent at once when paging is ignored. */
const ALL_AT_ONCE_MAX = 100_000;

type ListReply = Envelope & { data: Iterable<object> };
export type ShapedReply = { readonly data: unknown } & Record<string, unknown>;

/** Returns the paging that the service uses under these faults, which may ignore the request's. */
export function pagingUnder(faults: RequestFaults, asked: Paging): Paging {
  const cap = faults.find('cap-pages');
  if (cap !== undefined) return { page: asked.page, perPage: Math.min(cap.max, asked.perPage) };
  const ignored = faults.find('ignore-paging')?.ignored;
  if (ignored === undefined) return asked;
  if (ignored === 'all-at-once') return { page: 1, perPage: ALL_AT_ONCE_MAX };
  return {
    page: ignored === 'per_page' ? asked.page : 1,
    perPage: ignored === 'page' ? asked.perPage : PER_PAGE_DEFAULT,
  };
}

/**
 * Changes a list reply: rows, envelope, then the shape of `data`.
 *
 * @param paging what the request asked for, and what the service used
 * @param readPage reads another page of the same list, for rows that occur twice
 */
export function shapeList(
  faults: RequestFaults,
  reply: ListReply,
  { asked, used }: { readonly asked: Paging; readonly used: Paging },
  readPage: (page: number) => Iterable<object>,
): ShapedReply {
  if (faults.isEmpty) return reply;
  const rows = shapeRows(faults, reply, used, readPage);
  const isUnsaid = faults.find('cap-pages')?.says === 'asked';
  const said = isUnsaid ? { ...reply, ...envelopeOf(asked, reply.total) } : reply;
  const envelope = shapeEnvelope(faults, said, used);
  const records = shapeRecords(faults, rows);
  const data = faults.find('single-object') === undefined ? records : (records[0] ?? null);
  const extra = faults.find('unknown-fields') === undefined ? {} : { server_hint: { shard: 7 } };
  return { data, ...envelope, ...extra };
}

/** Changes the reply of the single-member route. */
export function shapeRecord(faults: RequestFaults, reply: { data: object }): ShapedReply {
  if (faults.isEmpty) return reply;
  return { data: shapeRecords(faults, [reply.data])[0] };
}

function shapeRows(
  faults: RequestFaults,
  reply: ListReply,
  asked: Paging,
  readPage: (page: number) => Iterable<object>,
): readonly object[] {
  let rows: readonly object[] = [...reply.data];
  const endless = faults.find('endless');
  if (endless?.data === 'repeat' && rows.length === 0 && reply.pages > 0) rows = [...readPage(reply.pages)];
  const repeated = faults.find('repeat-rows');
  if (repeated !== undefined) {
    const { count } = repeated;
    rows =
      asked.page > 1
        ? [...[...readPage(asked.page - 1)].slice(-count), ...rows]
        : [...rows, ...rows.slice(0, count)];
  }
  const missing = faults.find('missing-rows');
  return missing === undefined ? rows : rows.slice(0, Math.max(0, rows.length - missing.count));
}

function shapeEnvelope(faults: RequestFaults, reply: ListReply, asked: Paging): Envelope {
  const { data: _data, ...envelope } = reply;
  const moving = faults.find('moving-total');
  if (moving !== undefined) {
    envelope.total = Math.max(0, envelope.total + moving.by * faults.countOf('moving-total'));
    envelope.pages = Math.ceil(envelope.total / envelope.per_page);
  }
  if (faults.find('endless') !== undefined) {
    envelope.has_next = true;
    envelope.next_num = asked.page + 1;
  }
  const lying = faults.find('lying-has-next');
  if (lying !== undefined) {
    envelope.has_next = lying.value;
    envelope.next_num = lying.value ? asked.page + 1 : null;
  }
  if (faults.find('zero-nums') !== undefined) {
    envelope.next_num ??= 0;
    envelope.prev_num ??= 0;
  }
  return envelope;
}

function shapeRecords(faults: RequestFaults, rows: readonly object[]): readonly object[] {
  let records = rows;
  if (faults.find('unknown-fields') !== undefined) records = records.map(addUnknownFields);
  if (faults.find('missing-fields') !== undefined) records = records.map(dropFields);
  const wrong = faults.find('wrong-types');
  if (wrong !== undefined)
    records = records.map((record, n) => (n % wrong.every === 0 ? setWrongTypes(record, n) : record));
  const huge = faults.find('huge-string');
  if (huge !== undefined)
    records = records.map((record, n) => (n === 0 ? hugeString(record, huge.megabytes) : record));
  return records;
}
