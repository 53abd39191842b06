import { resolve } from 'node:path';
import { filePartBytes } from '../../../../contract/document-procedures.ts';
import type { Input } from '../../../../contract/procedures.ts';
import { settingsOf } from '../../../../contract/workspace-settings.ts';
import { localDayOf } from '../../../../rules/days.ts';
import { fieldsOf } from '../../../../rules/list-fields.ts';
import { readDollars } from '../../../../rules/money/amounts.ts';
import { causesOf, type PaymentKind, paymentKinds } from '../../../../rules/money/reimbursement.ts';
import { appealAnswers, appealAskers, appealDirections } from '../../../../rules/review/appeals.ts';
import { decidedStates, reviewOutcomes, reviewStates } from '../../../../rules/review/decision.ts';
import { allActs } from '../../../../rules/review/event-kinds.ts';
import { subjectOfMember } from '../../../../rules/review/member-subject.ts';
import { findOpenRun } from '../../../../rules/review/run-facts.ts';
import { inWork, type Runner, row } from '../command-row.ts';
import { oneOf, parseId, parseLimit, parseReason } from '../parse-command.ts';
import { readBytes, readIncoming } from '../read-incoming.ts';
import { readPassphrase } from '../read-passphrase.ts';
import type { Work } from '../run-in-session.ts';
import { UsageError } from '../usage.ts';
import { readPartly } from './read-partly.ts';
import { missingVerb, runMissing } from './review-missing.ts';
import { runPeople } from './review-people.ts';
import { listClaims, runCalendar, runDeal, runOwed, runWorklist } from './review-worklist.ts';

const eventsPerPage = 500;

type Act = Input<'reviews:act'>['act'];

/** Claims with their review, those of one state where it is named. */
async function list({ session, workspaceId, command, output }: Work): Promise<void> {
  const { options } = command;
  const state = options.state === undefined ? null : oneOf(reviewStates, options.state, '--state');
  const limit = parseLimit(options);
  const conditions =
    state === null
      ? [{ field: 'review.at', operator: 'isNotEmpty' as const, values: [] }]
      : [{ field: 'review.state', operator: 'is' as const, values: [state] }];
  const fields = [
    'id',
    'status',
    'patient_responsibility',
    ...fieldsOf.claims.map(({ path }) => path).filter((path) => path.startsWith('review.')),
  ];
  const query = { entity: 'claims' as const, conditions, includesMissing: true };
  await listClaims(session, { workspaceId, query, fields, limit, reason: parseReason(options) }, output);
}

async function act(
  { session, workspaceId, command, output }: Work,
  claimIds: number[],
  reviewAct: Act,
): Promise<void> {
  const acceptsEarly = command.options['before-service'] === true;
  const called = { workspaceId, target: { claimIds }, act: reviewAct, acceptsEarly };
  await output.json(await session.call('reviews:act', called));
}

async function set(work: Work): Promise<void> {
  const { options, words } = work.command;
  const claimIds = words.slice(2).map(parseId);
  const partly = readPartly(options);
  if (options.state === undefined) {
    if ((options.outcome ?? options['on-whom'] ?? options.reason) !== undefined)
      throw new UsageError('--outcome, --on-whom, and --reason go with --state');
    if (partly !== null || options.cause !== undefined)
      throw new UsageError('--amount, --line, --without, --share, and --cause go with --state and --outcome');
  }
  const state = options.state === undefined ? undefined : oneOf(decidedStates, options.state, '--state');
  const { outcome: typed } = options;
  const outcome = typed === undefined ? undefined : oneOf(reviewOutcomes, typed, '--outcome');
  const acts = allActs.flatMap(({ ofOptions }) => ofOptions?.({ ...options, state, outcome, partly }) ?? []);
  if (acts.length === 0) throw new UsageError('review set needs --state or something else to set');
  for (const reviewAct of acts) await act(work, claimIds, reviewAct);
}

async function check(work: Work): Promise<void> {
  const { options, words } = work.command;
  if ((options.agree === true) === (options.disagree === true))
    throw new UsageError('review check needs --agree, or --disagree with --reason');
  const agrees = options.agree === true;
  await act(work, [parseId(words[2])], { kind: 'check', agrees, reason: options.reason ?? null });
}

/** Adds a note on a claim, or logs a call with a member. */
const note = (verb: string, toClaimId: (id: number) => number) =>
  inWork(true, async (work) => {
    const { options, words } = work.command;
    if (options.text === undefined) throw new UsageError(`review ${verb} needs --text, best from --input`);
    await act(work, [toClaimId(parseId(words[2]))], { kind: 'note', text: options.text });
  });

const sayInRun = (claimId: number, run: string): string =>
  `Claim ${claimId} is in the run ${run}, which isn’t recorded yet: leave it out of the run, or it is paid twice.`;

async function pay(work: Work): Promise<void> {
  const { session, workspaceId, command, output } = work;
  const { options, words } = command;
  const payment: PaymentKind = oneOf(paymentKinds, options.kind ?? 'reimbursed', '--kind');
  const account = options.account ?? '';
  if (options.file !== undefined) {
    const acceptsEarly = options['before-service'] === true;
    const { selectionId, withEarly, ...plan } = await session.call('reviews:readPayments', {
      workspaceId,
      file: await readIncoming(options.file),
      payment,
      account,
    });
    for (const { claimId, run } of plan.inRuns) output.info(sayInRun(claimId, run));
    const { eventId, leftOut, needsSecond } = await session.call('reviews:recordPayments', {
      workspaceId,
      selectionId,
      acceptsEarly,
    });
    const sums = acceptsEarly ? withEarly : plan;
    const unmatched = plan.unmatched.map(({ rule, ...row }) => ({
      ...row,
      ...(rule && { rule: { ...rule, above: rule.above / 10_000, over: rule.over / 10_000 } }),
    }));
    await output.json({
      ...{ eventId, ...plan, ...sums, unmatched, amount: sums.amount / 10_000 },
      // Claims that changed between reading the file and recording it.
      ...(leftOut.length > 0 && { leftOut }),
      ...(needsSecond.length > 0 && { needsSecond }),
    });
    const second = unmatched.filter(({ reason }) => reason === 'needsSecond').length + needsSecond.length;
    if (second > 0)
      output.info(`${second} left out: the team’s two-person rule needs another person to record them`);
    if (plan.early.length > 0 && !acceptsEarly)
      output.info(
        `${plan.early.length} left out: dated before the service. Add --before-service if that is right`,
      );
    const others = unmatched.length + leftOut.length + needsSecond.length - second;
    if (others > 0) output.info(`${others} left out for other reasons`);
    return;
  }
  const amount = options.amount === undefined ? null : readDollars(options.amount);
  const isAmount = options.amount === undefined || (amount !== null && amount > 0);
  if (words[2] === undefined || !isAmount || options.date === undefined)
    throw new UsageError('review pay needs ID [--amount A] --date D, or --file FILE');
  const claimId = parseId(words[2]);
  const { runs } = await session.call('reviews:get', { workspaceId, claimId });
  const run = findOpenRun(runs);
  if (run !== undefined) output.info(sayInRun(claimId, run.name));
  await act(work, [claimId], {
    kind: 'payment',
    payment,
    amount,
    day: options.date,
    account,
  });
}

/** `claimdesk review appeal ID`: adds an appeal, or with `--answer` answers the open one. */
async function appeal(work: Work): Promise<void> {
  const { session, workspaceId, command } = work;
  const { options, words } = command;
  const claimId = parseId(words[2]);
  const day = options.date ?? localDayOf(new Date());
  if (options.answer === undefined) {
    const direction = oneOf(appealDirections, options.direction ?? '', '--direction');
    const asker = oneOf(appealAskers, options.asker ?? 'member', '--asker');
    const level = options.level === undefined ? 1 : parseId(options.level);
    const { due = null, reason = null } = options;
    return act(work, [claimId], { kind: 'appeal', direction, asker, level, day, due, reason });
  }
  if (options.reason === undefined) throw new UsageError('an answer needs --reason TEXT');
  const answer = oneOf(appealAnswers, options.answer, '--answer');
  const { appeals } = await session.call('reviews:get', { workspaceId, claimId });
  const open = appeals.find(({ answered }) => answered === null);
  if (open === undefined) throw new UsageError(`claim ${claimId} has no open appeal`);
  const { 'letter-date': letterDay = null, reason } = options;
  await act(work, [claimId], { kind: 'answerAppeal', appealId: open.id, answer, day, letterDay, reason });
}

/** Prints the reasons for declining claims that this workspace uses. */
async function causes({ session, workspaceId, output }: Work): Promise<void> {
  const { workspaces } = await session.call('workspaces:list', {});
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  const settings = await session.call('settings:get', {});
  const { declineCauses } = workspace === undefined ? settings : settingsOf(settings, workspace);
  for (const cause of causesOf(declineCauses, workspaceId)) await output.json({ cause });
}

/** The columns of claims that events change. */
const historyColumns = ['id', 'review.state', 'review.reason', 'review.note', 'review.changed_fields'];

async function history({ session, workspaceId, command, output }: Work): Promise<void> {
  const limit = parseLimit(command.options);
  const reason = parseReason(command.options);
  const [, , id] = command.words;
  const claimId = id === undefined ? undefined : parseId(id);
  const engine = await session.getEngine();
  for (let offset = 0; offset < limit; offset += eventsPerPage) {
    const { events, total } = await session.call('reviews:listEvents', {
      workspaceId,
      claimId,
      offset,
      limit: Math.min(eventsPerPage, limit - offset),
    });
    if (offset === 0)
      await engine.auditListed({
        workspaceId,
        source: { kind: 'list', query: { entity: 'claims' } },
        columns: historyColumns,
        rows: Math.min(total, limit),
        ...(claimId === undefined ? {} : { recordId: claimId }),
        reason,
      });
    for (const event of events) await output.json(event);
    if (events.length < eventsPerPage) break;
  }
}

async function readWord({ command }: Work): Promise<string> {
  if (command.options['passphrase-stdin'] !== true) throw new UsageError('--passphrase-stdin is required');
  return readPassphrase(command.stdin);
}

async function exportReviews(work: Work): Promise<void> {
  const { session, workspaceId, command, output } = work;
  if (command.options.out === undefined) throw new UsageError('--out FILE is required');
  const passphrase = await readWord(work);
  const targetId = await session.addSaveTarget(resolve(command.options.out), 'reviews');
  await output.json(await session.call('reviews:export', { workspaceId, passphrase, targetId }));
}

async function importReviews(work: Work): Promise<void> {
  const { session, workspaceId, command, output } = work;
  if (command.options.file === undefined) throw new UsageError('--file FILE is required');
  const passphrase = await readWord(work);
  const bytes = await readBytes(command.options.file);
  let uploadId: string | undefined;
  let at = 0;
  for (; bytes.length - at > filePartBytes; at += filePartBytes) {
    const part = bytes.toString('base64', at, at + filePartBytes);
    ({ uploadId } = await session.call('reviews:addFilePart', { workspaceId, uploadId, part }));
  }
  const file = bytes.toString('base64', at);
  const report = await session.call('reviews:import', { workspaceId, uploadId, file, passphrase });
  await output.json(report);
  if (report.actsLeftOut.length > 0 || report.ownClaimsLeftOut > 0)
    output.info(
      'Some entries were left out, because they would change what others or you wrote: see actsLeftOut.',
    );
  if (report.people.some(({ notSigned }) => notSigned > 0))
    output.info(
      'Some entries are not signed: whoever wrote the file chose the names in them, see notSigned.',
    );
  if (report.people.some(({ keys }) => keys.some(({ isKnown }) => !isKnown)))
    output.info('Some keys are new here: compare their fingerprints with what these people see, see keys.');
}

/** `claimdesk review …`: decisions on claims, and worklists of claims. */
export const reviewCommands: Readonly<Record<string, Runner>> = {
  worklist: runWorklist,
  deal: runDeal,
  owed: runOwed,
  calendar: runCalendar,
  people: runPeople,
  list: inWork(false, list),
  set: inWork(true, set),
  check: inWork(true, check),
  note: note('note', (claimId) => claimId),
  call: note('call', subjectOfMember),
  appeal: inWork(true, appeal),
  pay: inWork(true, pay),
  [missingVerb]: runMissing,
  causes: inWork(false, causes),
  history: inWork(false, history),
  undo: row({ call: 'reviews:undo', writes: true, arguments: ['eventId'] }),
  export: inWork(false, exportReviews),
  import: inWork(true, importReviews),
};
