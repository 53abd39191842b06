import type { ExportSource } from '../../../../contract/export.ts';
import { type Entity, type FieldKind, fieldsOf } from '../../../../rules/list-fields.ts';
import { amountOfCell, writeDecimals } from '../../../../rules/money/amounts.ts';
import {
  type Amount,
  type Cell,
  fieldOfSum,
  type ListQuery,
  sumNames,
  type Totals,
} from '../../../../rules/query.ts';
import { subjectOfMember } from '../../../../rules/review/member-subject.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Printer } from '../output.ts';
import {
  type Command,
  parseEntity,
  parseId,
  parseLimit,
  parseQuery,
  parseReason,
  parseWhole,
  toPath,
  writeFilter,
} from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';

const rowsPerWindow = 500;
const groupsPerPage = 1000;

/** `claimdesk list`: prints whole records under the service's names, one a line, in a stable order. */
export async function runList(command: Command, output: Printer): Promise<number> {
  const { options } = command;
  const entity = parseEntity(command.words[1]);
  if (options.active === true && entity !== 'members')
    throw new UsageError('--active works only with members');
  const query = parseQuery(entity, options);
  const offset = parseWhole(options.offset, '--offset') ?? 0;
  const limit = parseLimit(options);
  if (options['group-by'] !== undefined || options.totals === true) {
    if (options.sort !== undefined) throw new UsageError('--sort can’t be used with --totals or --group-by');
    if (options.totals === true && options['group-by'] !== undefined)
      throw new UsageError('--totals and --group-by can’t be used together');
    return listTotals(command, output, { query, offset, limit });
  }
  const reason = parseReason(options);
  return inWorkspace(command, false, async (session, workspaceId) => {
    const { snapshotId, total } = await session.call('records:open', { workspaceId, query });
    const engine = await session.getEngine();
    const end = Math.min(total, offset + limit);
    const isSsnShown = options.reveal === true;
    await engine.auditListed({
      workspaceId,
      source: { kind: 'list', query },
      rows: Math.max(0, end - offset),
      isSsnShown,
      reason,
    });
    for (let at = offset; at < end; at += rowsPerWindow) {
      const texts = await engine.readRecordTexts({
        workspaceId,
        snapshotId,
        offset: at,
        limit: Math.min(rowsPerWindow, end - at),
        isSsnShown,
      });
      if (texts.length > 0) await output.line(texts.join('\n'));
    }
    output.info(`${Math.max(0, end - offset)} of ${total}`);
  });
}

/** An amount in dollars, as JSON number text with all its digits. */
export function toJsonNumber(amount: Amount | null): unknown {
  if (amount === null) return null;
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(writeDecimals(amount));
}

/** The cell of a row in JSON. An amount is in dollars; what ten-thousandths do not hold is as sent. */
export function toJsonCell(cell: Cell, kind: FieldKind | undefined): unknown {
  if (kind !== 'money' || cell === null) return cell;
  if (typeof cell === 'number') return toJsonNumber(cell);
  const isExact = amountOfCell(cell) !== null && String(Number(cell)) === cell;
  return isExact ? Number(cell) : cell;
}

const nameColumns = (counts: NonNullable<Totals['notCounted']>): Record<string, number> =>
  Object.fromEntries(
    sumNames.flatMap((name) => (counts[name] === undefined ? [] : [[fieldOfSum[name], counts[name]]])),
  );

/** Sums by column name, with the amounts that could not be added; lists of people have none. */
function namedTotals(entity: Entity, totals: Totals | null): Record<string, unknown> {
  if (totals === null || (entity !== 'claims' && entity !== 'lines')) return {};
  return {
    ...Object.fromEntries(sumNames.map((name) => [fieldOfSum[name], toJsonNumber(totals[name])])),
    ...(totals.notCounted === undefined ? {} : { not_counted: nameColumns(totals.notCounted) }),
  };
}

/** `--totals` and `--group-by`: count and exact sums, of the whole list or of each of its groups. */
async function listTotals(
  command: Command,
  output: Printer,
  request: { query: ListQuery; offset: number; limit: number },
): Promise<number> {
  const { options } = command;
  const { query, offset, limit } = request;
  const { entity } = query;
  const reason = parseReason(options);
  return inWorkspace(command, false, async (session, workspaceId) => {
    const engine = await session.getEngine();
    if (options['group-by'] === undefined) {
      const { sort: _sort, ...unsorted } = query;
      const { total, totals } = await session.call('records:getTotals', { workspaceId, query: unsorted });
      const source: ExportSource = { kind: 'list', query };
      await engine.auditListed({ workspaceId, source, columns: [], rows: total, reason });
      await output.json({ count: total, ...namedTotals(entity, totals) });
      return 0;
    }
    const by = toPath(entity, options['group-by']);
    const kind = fieldsOf[entity].find(({ path }) => path === by)?.kind;
    let end = offset + limit;
    let isNoted = false;
    for (let at = offset; at < end; at += groupsPerPage) {
      const page = await session.call('records:group', {
        workspaceId,
        query,
        by,
        offset: at,
        limit: Math.min(groupsPerPage, end - at),
      });
      end = Math.min(end, page.total);
      if (!isNoted) {
        const source: ExportSource = { kind: 'groups', query, by };
        await engine.auditListed({ workspaceId, source, rows: Math.max(0, end - offset), reason });
        isNoted = true;
      }
      for (const { value, label, totals, conditions } of page.groups) {
        await output.json({
          value: toJsonCell(value, kind),
          ...(label === null ? {} : { label }),
          count: totals.count,
          ...namedTotals(entity, totals),
          filter: conditions.map(writeFilter),
        });
      }
    }
    output.info(`${Math.max(0, end - offset)} groups`);
  });
}

/**
 * `claimdesk show`: prints a claim as the service sent it, or a member with dependents, the claims under `claims` and the calls
 * under `calls`.
 * A record that the service no longer returns has `no_longer_returned_since`.
 */
export async function runShow(command: Command, output: Printer): Promise<number> {
  const reason = parseReason(command.options);
  const [, kind, idText] = command.words;
  if (kind !== 'member' && kind !== 'claim') throw new UsageError('use show member or show claim');
  const id = parseId(idText);
  const isSsnShown = command.options.reveal === true;
  return inWorkspace(command, false, async (session, workspaceId) => {
    const engine = await session.getEngine();
    const open = async (entity: Entity, field: string, includesMissing: boolean) => {
      const conditions = [{ field, operator: 'is' as const, values: [id] }];
      const query = { entity, includesArchived: true, includesMissing, conditions };
      return { ...(await session.call('records:open', { workspaceId, query })), query };
    };
    const readAll = async ({
      snapshotId,
      total,
    }: {
      snapshotId: string;
      total: number;
    }): Promise<string[]> => {
      const texts: string[] = [];
      for (let offset = 0; offset < total; offset += rowsPerWindow) {
        const request = { workspaceId, snapshotId, offset, limit: rowsPerWindow, isSsnShown };
        texts.push(...(await engine.readRecordTexts(request)));
      }
      return texts;
    };
    const opened = await open(kind === 'member' ? 'members' : 'claims', 'id', true);
    if (opened.total === 0) throw new DeskError('record.unknown');
    const claims = kind === 'member' ? await open('claims', 'members.id', false) : null;
    await engine.auditListed({
      workspaceId,
      source: { kind: 'list', query: opened.query },
      rows: 1 + (claims?.total ?? 0),
      recordId: id,
      isSsnShown,
      reason,
    });
    let [record = '{}'] = await readAll(opened);
    const procedure = kind === 'member' ? 'records:getMember' : 'records:getClaim';
    const { missing } = await session.call(procedure, { workspaceId, id, isLookup: true });
    if (missing !== null) {
      const { since, confirmedAt } = missing;
      output.info(
        `no longer in the service since ${since}${confirmedAt === null ? '' : `, confirmed ${confirmedAt}`}`,
      );
      const mark = { no_longer_returned_since: since, confirmed_missing_at: confirmedAt };
      record = `${record.slice(0, -1)},${JSON.stringify(mark).slice(1)}`;
    }
    if (claims === null) await output.line(record);
    else {
      const calls = await session.call('reviews:get', { workspaceId, claimId: subjectOfMember(id) });
      // JSON texts are concatenated unchanged, so that no digit of a number changes.
      const separator = record === '{}' ? '' : ',';
      await output.line(
        `${record.slice(0, -1)}${separator}"claims":[${(await readAll(claims)).join(',')}],"calls":${JSON.stringify(calls.notes)}}`,
      );
    }
  });
}
