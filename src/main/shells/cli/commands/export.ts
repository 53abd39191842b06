import { extname, resolve } from 'node:path';
import {
  type ExportFormat,
  type ExportResult,
  type ExportSource,
  findCloudFolder,
  purposeOf,
  tableFormats,
  tableOf,
} from '../../../../contract/export.ts';
import { exportPresets, presetColumns, presetsOf } from '../../../../contract/export-columns.ts';
import type { Input } from '../../../../contract/procedures.ts';
import { saveExtensions, standardOutput } from '../../../../contract/save-target.ts';
import { DeskError, fromErrorReport } from '../../../lib/errors.ts';
import type { Printer } from '../output.ts';
import {
  type Command,
  type Options,
  parseEntity,
  parseQuery,
  parseReason,
  parseWhole,
  toPath,
} from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';

/** `claimdesk export`: writes a whole list to one file; a file that is incomplete is removed. */
export async function runExportCommand(command: Command, output: Printer): Promise<number> {
  const { options } = command;
  const { out } = options;
  if (out === undefined) throw new UsageError('--out FILE is required, or - for standard output');
  const format = parseFormat(options);
  parseReason(options);
  const chosen = { format, ...parseDelimiter(options, format), ...parseSplit(options) };
  if (out === standardOutput && options.sign === true) throw new UsageError('--sign needs a file');
  return inWorkspace(command, false, async (session, workspaceId) => {
    const source = await parseSource(command, session, workspaceId);
    const columns = parseColumns(source, options);
    await saveExport(session, output, options, { workspaceId, source, ...chosen, columns });
  });
}

/** Writes the file of `--out` with the options that all exports have, and prints what was written. */
export async function saveExport(
  session: Session,
  output: Printer,
  options: Options,
  request: Omit<Input<'export:start'>, 'targetId'>,
): Promise<void> {
  const { out = '' } = options;
  const isStandardOutput = out === standardOutput;
  const isQuiet = options.quiet === true || isStandardOutput;
  const outPath = isStandardOutput ? standardOutput : resolve(out);
  const cloud = findCloudFolder(outPath);
  if (cloud !== null) output.info(`The folder syncs to ${cloud}: the file leaves this computer.`);
  let lastPercent = 0;
  const { exportId: _exportId, ...rest } = await exportList(session, {
    ...request,
    reason: options.reason,
    isSigned: options.sign,
    outPath,
    isSsnShown: options.reveal === true,
    onProgress(rows, total) {
      const percent = total === 0 ? 100 : Math.floor((100 * rows) / total);
      if (isQuiet || (percent < lastPercent + 5 && rows < total)) return;
      lastPercent = percent;
      output.info(`${rows} of ${total}`);
    },
  });
  if (!isStandardOutput) await output.json({ event: 'done', ...rest });
}

/** The format that --format names, or else the ending of the file; the two must agree. @throws UsageError */
function parseFormat({ format, out = '' }: Options): ExportFormat {
  const ending = extname(out).toLowerCase();
  const tableFormat = tableFormats.find(
    (candidate) => candidate === (format ?? (ending === '.xlsx' ? 'xlsx' : 'csv')),
  );
  if (tableFormat === undefined)
    throw new UsageError(`--format takes ${tableFormats.join(', ')}, not ${format}`);
  requireEnding(out, saveExtensions[purposeOf[tableFormat]]);
  return tableFormat;
}

/**
 * Refuses an ending that belongs to another kind of file, because other programs would not open the file. @throws
 * UsageError
 */
export function requireEnding(out: string, expected: string): void {
  const ending = extname(out).toLowerCase();
  const knownEndings: readonly string[] = Object.values(purposeOf).map((purpose) => saveExtensions[purpose]);
  if (ending !== expected && knownEndings.includes(ending))
    throw new UsageError(
      `--out ends with ${ending}, and the file is a ${expected} file: use --format, or another ending`,
    );
}

const delimiters = { ',': ',', ';': ';', '|': '|', tab: '\t', '\t': '\t' } as const;

function parseDelimiter({ delimiter }: Options, format: ExportFormat) {
  if (delimiter === undefined) return {};
  if (format !== 'csv') throw new UsageError('--delimiter works only with --format csv');
  if (!Object.hasOwn(delimiters, delimiter))
    throw new UsageError('--delimiter takes a comma, a semicolon, a vertical bar, or tab');
  return { delimiter: delimiters[delimiter as keyof typeof delimiters] };
}

/** @throws UsageError */
export const parseSplit = (options: Options) => ({ split: parseWhole(options.split, '--split', 1) });

/** Parses what is exported: a list, the lines or payments of claims, the groups of a list, or what a sync changed. */
async function parseSource(
  { words, options }: Command,
  session: Session,
  workspaceId: string,
): Promise<ExportSource> {
  const [, word, syncId] = words;
  if (word === 'changes') {
    const changes = await session.call('sync:listChanges', {
      workspaceId,
      syncId,
      offset: 0,
      limit: 1,
    });
    if (changes.syncId === null) throw new DeskError('export.nothingChanged');
    return { kind: 'changes', syncId: changes.syncId };
  }
  const entity = word === 'claim-lines' || word === 'payments' ? 'claims' : parseEntity(word);
  if (options.active === true && entity !== 'members')
    throw new UsageError('--active works only with members');
  const query = parseQuery(entity, options);
  if (word === 'claim-lines') return { kind: 'claimLines', query };
  if (word === 'payments') return { kind: 'payments', query };
  const groupBy = options['group-by'];
  return groupBy === undefined
    ? { kind: 'list', query }
    : { kind: 'groups', query, by: toPath(entity, groupBy) };
}

function parseColumns(source: ExportSource, { columns, preset }: Options): string[] | undefined {
  if (columns !== undefined && preset !== undefined)
    throw new UsageError('--columns and --preset can’t be used together');
  if (columns !== undefined) {
    const names = columns.split(',').map((name) => name.trim());
    return source.kind === 'list' ? names.map((name) => toPath(source.query.entity, name)) : names;
  }
  if (preset === undefined) return undefined;
  const offered = presetsOf(tableOf(source));
  const chosenPreset = exportPresets.find((candidate) => candidate === preset && offered.includes(candidate));
  if (chosenPreset === undefined)
    throw new UsageError(`--preset takes ${offered.join(', ')} here, not ${preset}`);
  return presetColumns(source, chosenPreset);
}

export interface ListExport extends Omit<Input<'export:start'>, 'targetId'> {
  readonly outPath: string;
  readonly isSsnShown: boolean;
  readonly onProgress: (rows: number, total: number) => void;
}

/** Runs one export to its end; SIGINT and SIGTERM cancel it, and no file is left. */
export async function exportList(session: Session, request: ListExport): Promise<ExportResult> {
  const { outPath, isSsnShown, onProgress, ...input } = request;
  const engine = await session.getEngine();
  let exportId: string | null = null;
  let isCanceled = false;
  const cancel = (): void => {
    isCanceled = true;
    if (exportId !== null) void session.call('export:cancel', { exportId }).catch(() => undefined);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, cancel);
  try {
    const finished = new Promise<ExportResult>((fulfil, reject) => {
      engine.subscribe((event) => {
        if (event.name === 'export:progress') onProgress(event.payload.rows, event.payload.total);
        else if (event.name === 'export:finished') {
          const { result, error } = event.payload;
          if (result !== null) fulfil(result);
          else reject(error === null ? new DeskError('internal.fault') : fromErrorReport(error));
        }
      });
    });
    finished.catch(() => undefined);
    const targetId = await session.addSaveTarget(outPath, purposeOf[request.format]);
    ({ exportId } = await session.call('export:start', { ...input, targetId }, { isSsnShown }));
    if (isCanceled) cancel();
    return await finished;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, cancel);
  }
}
