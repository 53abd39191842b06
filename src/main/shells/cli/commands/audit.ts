import { resolve } from 'node:path';
import type { AuditVerdict } from '../../../../contract/audit.ts';
import { DeskError } from '../../../lib/errors.ts';
import { type Runner, row } from '../command-row.ts';
import type { Printer } from '../output.ts';
import { type Command, parseLimit, parseWhole } from '../parse-command.ts';
import { readPassphrase } from '../read-passphrase.ts';
import { inSession, type Writes } from '../run-in-session.ts';
import type { Session } from '../session.ts';
import { UsageError } from '../usage.ts';

const entriesPerPage = 500;

async function list(session: Session, { options }: Command, output: Printer): Promise<void> {
  const offset = parseWhole(options.offset, '--offset') ?? 0;
  const limit = parseLimit(options);
  for (let at = 0; at < limit; at += entriesPerPage) {
    const { entries } = await session.call('audit:list', {
      offset: offset + at,
      limit: Math.min(entriesPerPage, limit - at),
    });
    for (const entry of entries) await output.json(entry);
    if (entries.length < entriesPerPage) break;
  }
}

async function printVerdict(verdict: AuditVerdict, output: Printer): Promise<void> {
  await output.json(verdict);
  if (verdict.isIntact) return;
  throw new DeskError('audit.broken', { details: { firstBad: verdict.firstBad, reason: verdict.reason } });
}

async function verify(session: Session, { options }: Command, output: Printer): Promise<void> {
  const verdict =
    options.file === undefined
      ? await session.call('audit:verify', {})
      : await (await session.getEngine()).verifyAuditFile(resolve(options.file));
  await printVerdict(verdict, output);
}

async function exportLog(session: Session, { options }: Command, output: Printer): Promise<void> {
  if (options.out === undefined) throw new UsageError('audit export needs --out FILE, or --out - for stdout');
  if (options.out !== '-') {
    const targetId = await session.addSaveTarget(resolve(options.out), 'auditLog');
    await output.json(await session.call('audit:export', { targetId }));
    return;
  }
  const engine = await session.getEngine();
  await engine.appendAudit({ action: 'audit.exported', workspaceId: null, details: {} });
  for await (const lines of engine.readAuditLines()) {
    for (const line of lines) await output.line(line.trimEnd());
  }
}

async function accept(session: Session, { options }: Command, output: Printer): Promise<void> {
  const { isIntact, reason, firstBad } = await session.call('audit:verify', {});
  if (isIntact || reason === null || firstBad === null) {
    output.info('The audit log is intact. There is nothing to accept.');
    return;
  }
  output.info(`Found: ${reason}, from entry ${firstBad} on.`);
  if (options.yes !== true)
    throw new UsageError('add --yes to accept the audit log as it is, which is recorded');
  await printVerdict(await session.call('audit:accept', { reason, firstBad }), output);
}

async function token(session: Session, { options, stdin }: Command, output: Printer): Promise<void> {
  if (options['secret-stdin'] !== true) throw new UsageError('audit token needs --secret-stdin');
  const given = (await readPassphrase(stdin)).trim();
  if (/[^\x20-\x7e]/.test(given)) throw new UsageError('the token has characters that a header can’t have');
  await (await session.getEngine()).setAuditToken(given);
  output.info(given === '' ? 'The token was removed.' : 'The token was stored.');
}

const inProfile =
  (writes: Writes, act: (session: Session, command: Command, output: Printer) => Promise<void>): Runner =>
  (command, output) =>
    inSession(command, writes, (session) => act(session, command, output));

/** The audit log: read newest first, verified, exported with its chain, accepted after a restore, and sent on. */
export const auditCommands = {
  list: inProfile(false, list),
  verify: inProfile(false, verify),
  export: inProfile(false, exportLog),
  accept: inProfile(true, accept),
  target: row({ call: 'audit:readForwarding' }),
  token: inProfile(true, token),
};
