import { resolve } from 'node:path';
import type { ExportSource } from '../../../../contract/export.ts';
import { fieldsOf } from '../../../../rules/list-fields.ts';
import type { ListQuery } from '../../../../rules/query.ts';
import { fieldsOfReason } from '../../../../rules/worklists/worklist-reasons.ts';
import {
  conditionsOfShare,
  fullNameOf,
  teamPersonOf,
  type WorklistId,
  type WorklistShare,
  worklistIdOf,
  worklistQuery,
  worklistTable,
} from '../../../../rules/worklists/worklist-table.ts';
import type { Printer } from '../output.ts';
import { type Command, parseLimit, parseReason, parseWhole } from '../parse-command.ts';
import { inWorkspace } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';
import { toJsonCell, toJsonNumber } from './list.ts';

/** The fields of notes; `list` prints them on request. */
const noteFields = new Set(
  fieldsOf.claims.filter(({ sensitivity }) => sensitivity === 'note').map(({ path }) => path),
);
const kinds = new Map(fieldsOf.claims.map(({ path, kind }) => [path, kind]));
const rowsPerWindow = 500;
const shownFields = [
  'id',
  'status',
  'date_of_service',
  'patient_name',
  'service_provider',
  'patient_responsibility',
  'review.state',
];

/** The owners whose claims of a worklist are selected. */
function readShare({ options }: Command): WorklistShare {
  if (options.mine === true && options.unassigned === true)
    throw new UsageError('--mine and --unassigned exclude each other');
  return options.mine === true ? 'mine' : options.unassigned === true ? 'unassigned' : 'all';
}

/** The claims of a worklist by owner, as the window shows them to this workspace's admin. */
async function findQuery(session: Session, id: WorklistId, share: WorklistShare): Promise<ListQuery> {
  const workspace = await session.findWorkspace();
  return worklistQuery(id, conditionsOfShare(share, workspace.email), teamPersonOf(workspace));
}

/** `claimdesk review deal WORKLIST EMAIL…`: makes people the owners of its claims, in equal parts. */
export async function runDeal(command: Command, output: Printer): Promise<number> {
  const [, , name, ...owners] = command.words;
  const worklist = worklistTable.find(({ id }) => id === worklistIdOf(name));
  if (worklist === undefined)
    throw new UsageError(`there is no worklist ${name}: ${worklistTable.map(({ id }) => id).join(', ')}`);
  if (owners.length === 0) throw new UsageError('review deal needs the emails of the owners');
  const share = readShare(command);
  return inWorkspace(command, true, async (session, workspaceId) => {
    await session.call('worklists:update', { workspaceId });
    const query = await findQuery(session, worklist.id, share);
    const { snapshotId } = await session.call('records:open', { workspaceId, query });
    const { selectionId } = await session.call('reviews:freeze', {
      workspaceId,
      from: { kind: 'list', snapshotId },
    });
    const { leftOut, ...done } = await session.call('reviews:deal', { workspaceId, selectionId, owners });
    await output.json(done);
    if (leftOut.length > 0) output.info(`${leftOut.length} claims changed in between and were left out`);
  });
}

/**
 * `claimdesk review worklist [NAME]`: prints the counts of all worklists, or the claims of one in its order, each with
 * the reasons it is there; one a line.
 */
export async function runWorklist(command: Command, output: Printer): Promise<number> {
  const name = command.words[2];
  const worklist = worklistTable.find(({ id }) => id === worklistIdOf(name));
  if (name !== undefined && worklist === undefined)
    throw new UsageError(`there is no worklist ${name}: ${worklistTable.map(({ id }) => id).join(', ')}`);
  const share = readShare(command);
  const limit = parseLimit(command.options);
  const reason = parseReason(command.options);
  // Updates the worklists, unless another process does.
  return inWorkspace(command, 'ifFree', async (session, workspaceId) => {
    await session.call('worklists:update', { workspaceId });
    if (worklist === undefined) return listCounts(session, workspaceId, output);
    const fields = [
      ...new Set([
        ...shownFields,
        worklist.sort.field,
        ...worklist.terms.map(({ field }) => field),
        ...fieldsOfReason(worklist.id).filter((field) => !noteFields.has(field)),
      ]),
    ];
    const query = await findQuery(session, worklist.id, share);
    return listClaims(session, { workspaceId, query, fields, limit, reason }, output);
  });
}

/** `claimdesk review calendar --out FILE`: saves the deadlines of claims as a calendar file, without data of claims. */
export async function runCalendar(command: Command, output: Printer): Promise<number> {
  const { out } = command.options;
  if (out === undefined) throw new UsageError('review calendar needs --out FILE');
  return inWorkspace(command, 'ifFree', async (session, workspaceId) => {
    const targetId = await session.addSaveTarget(resolve(out), 'calendar');
    await output.json(await session.call('worklists:saveCalendar', { workspaceId, targetId }));
  });
}

/** `claimdesk review owed`: the balance of each member who owes money back, or the ledger of one member. */
export async function runOwed(command: Command, output: Printer): Promise<number> {
  const memberId = parseWhole(command.options.member, '--member');
  const limit = parseWhole(command.options.limit, '--limit') ?? 1000;
  const dollars = (amount: number | null) => (amount === null ? null : amount / 10_000);
  return inWorkspace(command, 'ifFree', async (session, workspaceId) => {
    if (memberId === undefined) {
      const { members, all } = await session.call('worklists:owed', { workspaceId, limit });
      for (const { memberId: member, claims, owed } of members)
        await output.json({ member, claims, owed: dollars(owed) });
      output.info(`${members.length} of ${all.members} members, ${all.claims} claims`);
      return 0;
    }
    const { claims, owed } = await session.call('worklists:ledger', { workspaceId, memberId });
    for (const {
      claimId,
      number,
      isEarlier,
      eligible,
      reimbursed,
      writtenOff,
      owed: owedAmount,
      payments,
    } of claims) {
      await output.json({
        ...(isEarlier ? { earlier_claim: number } : {}),
        ...{ claim: claimId, eligible: dollars(eligible), reimbursed: dollars(reimbursed) },
        ...{ written_off: dollars(writtenOff), owed: dollars(owedAmount) },
        payments: payments.map(({ payment, amount, day, author, at }) => ({
          ...{ kind: payment, amount: dollars(amount), day, author, at },
        })),
      });
    }
    await output.json({ member: memberId, owed: dollars(owed) });
    return 0;
  });
}

async function listCounts(session: Session, workspaceId: string, output: Printer): Promise<number> {
  const person = teamPersonOf(await session.findWorkspace());
  const counts = await session.call('worklists:counts', { workspaceId });
  for (const { id, claims, amount, amountLabel, notKnown, notCounted } of counts.worklists) {
    const worklist = worklistTable.find((candidate) => candidate.id === id);
    if (worklist?.isOfTeam === true && person === null) continue;
    const not_known = notKnown ?? 0;
    const sum = {
      amount: toJsonNumber(amount),
      amount_of: amountLabel,
      ...(not_known > 0 ? { not_known } : {}),
      ...(notCounted === undefined ? {} : { not_counted: notCounted }),
    };
    await output.json({ worklist: id, name: fullNameOf(id), claims, ...sum });
  }
  await output.json({ worklist: 'connections', name: 'Connections', connections: counts.connections });
  if (counts.feedWarning !== null) await output.json({ event: 'feedWarning', ...counts.feedWarning });
  return 0;
}

/** Records the access, then prints these fields of the claims of a list, one a line. */
export async function listClaims(
  session: Session,
  request: {
    workspaceId: string;
    query: ListQuery;
    fields: string[];
    limit: number;
    reason: string | undefined;
  },
  output: Printer,
): Promise<number> {
  const { workspaceId, query, fields, limit, reason } = request;
  const { snapshotId, total } = await session.call('records:open', { workspaceId, query });
  const end = Math.min(total, limit);
  const source: ExportSource = { kind: 'list', query };
  await (await session.getEngine()).auditListed({ workspaceId, source, columns: fields, rows: end, reason });
  for (let offset = 0; offset < end; offset += rowsPerWindow) {
    const { rows } = await session.call('records:getWindow', {
      workspaceId,
      snapshotId,
      offset,
      limit: Math.min(rowsPerWindow, end - offset),
      fields,
    });
    for (const { $key: _key, ...row } of rows) {
      const cells = Object.entries(row).map(([path, cell]) => [path, toJsonCell(cell, kinds.get(path))]);
      await output.json(Object.fromEntries(cells));
    }
  }
  output.info(`${end} of ${total}`);
  return 0;
}
