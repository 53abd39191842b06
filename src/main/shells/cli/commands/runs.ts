import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { findCloudFolder } from '../../../../contract/export.ts';
import type { Output as Answer } from '../../../../contract/procedures.ts';
import type { Run, RunStep } from '../../../../contract/run-procedures.ts';
import { settingsOf } from '../../../../contract/workspace-settings.ts';
import { serviceOf } from '../../../../rules/money/reimbursement.ts';
import { guardedTexts, layoutOf } from '../../../../rules/review/run-layout.ts';
import { teamPersonOf, worklistQuery } from '../../../../rules/worklists/worklist-table.ts';
import { inWork, type Runner, row } from '../command-row.ts';
import { type Command, parseDay, parseFilter, parseReason, parseWhole } from '../parse-command.ts';
import { readBytes, readIncoming } from '../read-incoming.ts';
import type { Work } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';
import { exportList } from './export.ts';

const inDollars = <Sum extends { amount: number }>(sum: Sum): Sum => ({
  ...sum,
  amount: sum.amount / 10_000,
});

const toPrinted = ({ made, byState, ...run }: Run) => ({
  ...inDollars(run),
  made: inDollars(made),
  byState: byState.map(inDollars),
});

const readDay = ({ options: { date = '' } }: Command) => parseDay(date, '--date') as string;

function readClaims({ words }: Command): number[] {
  const claimIds = words.slice(3).map(Number);
  if (claimIds.length === 0 || claimIds.some((id) => !Number.isSafeInteger(id)))
    throw new UsageError('runs leave-out needs the IDs of claims');
  return claimIds;
}

function readReason({ options: { reason = '' } }: Command): string {
  if (reason.trim() === '') throw new UsageError('--reason TEXT is required');
  return reason.trim();
}

const runOf = ({ words }: Command): string => words[2] as string;

/** A run without its sums by member, which would need a reason: `runs file` has them. */
const describeRun = (run: Answer<'runs:get'>) => ({
  ...toPrinted(run),
  employers: run.totals.employers.map(inDollars),
  marked: run.marked,
  changed: run.listed.map(({ open, ...claim }) => ({
    ...inDollars(claim),
    open: open === null ? null : open / 10_000,
  })),
  rejections: run.rejections.map(inDollars),
  steps: run.steps,
});

/** Adds the claims of To pay, limited by the filters, to a new run. */
async function make({ session, workspaceId, command, output }: Work): Promise<void> {
  const { name, account = '', filter = [] } = command.options;
  if (name === undefined) throw new UsageError('runs make needs --name N');
  await session.call('worklists:update', { workspaceId });
  const corrections = command.options.corrections === true;
  const from = corrections ? 'owedBack' : 'toPay';
  const query = worklistQuery(from, filter.map(parseFilter), teamPersonOf(await session.findWorkspace()));
  const { snapshotId } = await session.call('records:open', { workspaceId, query });
  const { selectionId } = await session.call('reviews:freeze', {
    workspaceId,
    from: { kind: 'list', snapshotId },
  });
  const { leftOut } = await session.call('runs:estimate', { workspaceId, selectionId, corrections });
  const offsets = command.options.offsets === true;
  const { eventId, claims, amount } = await session.call('runs:make', {
    ...{ workspaceId, selectionId, name, account, offsets, corrections },
  });
  await output.json({ run: eventId, claims, amount: amount / 10_000, leftOut });
}

/** Counts for `--with-changed` how many claims of the run changed since it was made. */
async function acceptMarked(session: Session, workspaceId: string, command: Command) {
  if (command.options['with-changed'] !== true) return {};
  const { marked } = await session.call('runs:get', { workspaceId, runId: runOf(command) });
  return { acceptsMarked: marked };
}

async function step({ session, workspaceId, command, output }: Work, runStep: RunStep): Promise<void> {
  const runId = runOf(command);
  const { eventId, claims, leftOut, needsSecond } = await session.call('runs:step', {
    ...{ workspaceId, runId, step: runStep, ...(await acceptMarked(session, workspaceId, command)) },
  });
  await output.json({
    ...{ eventId, claims },
    ...(leftOut.length > 0 && { leftOut }),
    ...(needsSecond.length > 0 && { needsSecond }),
  });
}

/** The condition of `--employer`: the claims of this employer only. */
const readEmployer = ({ options }: Command) => ({ employerId: parseWhole(options.employer, '--employer') });

async function send(work: Work): Promise<void> {
  const { file: path } = work.command.options;
  const file =
    path === undefined
      ? null
      : {
          name: basename(path),
          sha256: createHash('sha256')
            .update(await readBytes(path))
            .digest('hex'),
        };
  await step(work, { kind: 'send', file, ...readEmployer(work.command) });
}

/** Writes the file of a run in the layout stored for its employer. */
async function file({ session, workspaceId, command, output }: Work): Promise<void> {
  const { out, sign } = command.options;
  if (out === undefined) throw new UsageError('runs file needs --out FILE');
  const workspace = await session.findWorkspace();
  const settings = settingsOf(await session.call('settings:get', {}), workspace);
  const employer = readEmployer(command);
  const layout = layoutOf(settings.runLayouts, serviceOf(workspace), employer.employerId ?? null);
  const outPath = resolve(out);
  const cloud = findCloudFolder(outPath);
  if (cloud !== null) output.info(`The folder syncs to ${cloud}: the file leaves this computer.`);
  for (const text of guardedTexts(layout))
    output.info(`The file has an apostrophe before ${text}: a spreadsheet would run it as a formula.`);
  const reason = parseReason(command.options);
  const { exportId: _exportId, ...done } = await exportList(session, {
    workspaceId,
    source: {
      ...{ kind: 'run', runId: runOf(command), ...employer, layout },
      ...(await acceptMarked(session, workspaceId, command)),
    },
    format: layout.format,
    ...(layout.format === 'csv' ? { delimiter: layout.delimiter } : {}),
    reason,
    isSigned: sign,
    outPath,
    isSsnShown: false,
    onProgress: () => undefined,
  });
  await output.json({ event: 'done', ...done });
}

/** Reads the payer's answer: rejected claims leave the run and, with `--date`, paid ones are recorded. */
async function results({ session, workspaceId, command, output }: Work): Promise<void> {
  const { date, 'all-paid': allPaid = false } = command.options;
  const file = await readIncoming(command.words[3] as string);
  const day = date === undefined ? null : readDay(command);
  const { selectionId, paid, rejected, without, rejections, unmatched } = await session.call(
    'runs:readResults',
    { workspaceId, runId: runOf(command), file, ...readEmployer(command) },
  );
  for (const { claimId, reason } of rejections) output.info(`Claim ${claimId} was rejected: ${reason}`);
  const done = await session.call('runs:applyResults', { workspaceId, selectionId, day, allPaid });
  await output.json({
    ...{ paid: inDollars(paid), rejected: inDollars(rejected), without: inDollars(without) },
    ...{ rejections: rejections.map(inDollars), unmatched },
    ...{ left: done.rejected.claims, recorded: done.recorded.claims },
  });
}

/** `claimdesk runs …`: reimbursement runs. */
export const runCommands: Readonly<Record<string, Runner>> = {
  list: row({ call: 'runs:list', writes: 'ifFree', lines: ({ runs }) => runs.map(toPrinted) }),
  show: row({
    call: 'runs:get',
    writes: 'ifFree',
    arguments: ['runId'],
    lines: (run) => [describeRun(run)],
  }),
  make: inWork(true, make),
  file: inWork('ifFree', file),
  results: inWork(true, results),
  check: inWork(true, (work) => step(work, { kind: 'check' })),
  send: inWork(true, send),
  record: inWork(true, (work) => step(work, { kind: 'record', day: readDay(work.command) })),
  'leave-out': inWork(true, (work) =>
    step(work, { kind: 'leaveOut', claimIds: readClaims(work.command), reason: readReason(work.command) }),
  ),
  back: inWork(true, (work) => step(work, { kind: 'back', reason: readReason(work.command) })),
};
