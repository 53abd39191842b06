import type { ExportSource } from '../../../../contract/export.ts';
import { saveExtensions } from '../../../../contract/save-target.ts';
import { letterKinds } from '../../../../rules/letters/letter-kinds.ts';
import type { ListQuery } from '../../../../rules/query.ts';
import {
  teamPersonOf,
  worklistIdOf,
  worklistQuery,
  worklistTable,
} from '../../../../rules/worklists/worklist-table.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Printer } from '../output.ts';
import { type Command, oneOf, parseQuery, parseReason } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';
import { parseSplit, requireEnding, saveExport } from './export.ts';

/** `claimdesk statement`: substantiation statements of claims in one PDF, in the order of the list. */
export function runStatement(command: Command, output: Printer): Promise<number> {
  if (command.options.out === undefined) throw new UsageError('statement needs --out FILE.pdf');
  requireEnding(command.options.out, saveExtensions.statement);
  return savePages(command, output, 'pdf', (query) => ({ kind: 'statements', query }));
}

/** `claimdesk letter`: letters about claims in one PDF or text, each recorded as an act of its claim. */
export function runLetter(command: Command, output: Printer): Promise<number> {
  const { out = '', kind = '', text } = command.options;
  const letter = oneOf(letterKinds, kind, '--kind');
  const isText = out.toLowerCase().endsWith(saveExtensions.text);
  if (!isText) requireEnding(out, saveExtensions.statement);
  const typed = text === undefined ? {} : { note: text };
  return savePages(command, output, isText ? 'text' : 'pdf', (query) => ({
    kind: 'letters',
    query,
    letter,
    typed,
  }));
}

/** Saves pages about claims. If one of the IDs isn't found, no file is written. */
function savePages(
  command: Command,
  output: Printer,
  format: 'pdf' | 'text',
  toSource: (query: ListQuery) => ExportSource,
): Promise<number> {
  const { options } = command;
  parseReason(options);
  if (options.out === '-' && options.sign === true) throw new UsageError('--sign needs a file');
  const readQuery = parseClaims(command);
  const split = parseSplit(options);
  // A letter is recorded on its claim.
  return inWorkspace(command, command.words[0] === 'letter', async (session, workspaceId) => {
    const query = await readQuery(session);
    const requestedCount = new Set(command.words.slice(1).map(Number)).size;
    if (requestedCount > 0) {
      // In a long file, a missing claim would not be noticed.
      const { total } = await session.call('records:open', { workspaceId, query });
      if (total < requestedCount)
        throw new DeskError('record.unknown', { details: { wanted: requestedCount, found: total } });
    }
    await saveExport(session, output, options, { workspaceId, source: toSource(query), format, ...split });
  });
}

/** Parses the selection of claims: IDs, or a list, which may be a worklist. @throws UsageError */
function parseClaims({ words, options }: Command): (session: Session) => Promise<ListQuery> {
  const ids = words.slice(1).map(Number);
  if (words.slice(1).some((word) => !/^\d{1,15}$/.test(word)))
    throw new UsageError(`${words[0]} takes the IDs of claims`);
  const query = parseQuery('claims', options);
  const { conditions = [] } = query;
  if (ids.length > 0) {
    const ofIds = { field: 'id', operator: 'isOneOf' as const, values: ids };
    return async () => ({ ...query, conditions: [...conditions, ofIds], includesMissing: true });
  }
  if (options.worklist === undefined) {
    const isLimited = conditions.length > 0 || query.search !== undefined;
    if (!isLimited && options.all !== true)
      throw new UsageError('name claims by ID, --filter, --search, or --worklist; --all takes every claim');
    return async () => query;
  }
  const worklist = worklistTable.find(({ id }) => id === worklistIdOf(options.worklist));
  if (worklist === undefined)
    throw new UsageError(`--worklist takes ${worklistTable.map(({ id }) => id).join(', ')}`);
  return async (session) => {
    const person = teamPersonOf(await session.findWorkspace());
    return { ...worklistQuery(worklist.id, conditions, person), ...(query.sort && { sort: query.sort }) };
  };
}
