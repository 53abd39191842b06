import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createEphemeralStore } from '../../../keychain/secret-store.ts';
import { DeskError } from '../../../lib/errors.ts';
import { makeProfileFolder } from '../../../lib/profile-folder.ts';
import { startSampleService } from '../../../lib/sample-service.ts';
import type { Printer } from '../output.ts';
import { type Command, parseWhole } from '../parse-command.ts';
import { findGivenPassphrase, openSession, type Session } from '../session.ts';
import { UsageError } from '../usage.ts';
import { exportList } from './export.ts';
import { syncWorkspace } from './sync.ts';

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * `claimdesk demo`: runs all steps with sample data: a separate service and profile, and secrets in memory only.
 * Everything is removed at the end. With --keep the profile and the CSV are kept, and the profile opens with a
 * passphrase: the given one, or a generated one that is printed.
 */
export async function runDemo(command: Command, output: Printer): Promise<number> {
  const claims = parseWhole(command.options.claims, '--claims', 1) ?? 20_000;
  const { keep } = command.options;
  if (keep !== undefined) {
    const folder = resolve(keep);
    await makeProfileFolder(folder);
    if (existsSync(join(folder, 'profile'))) throw new UsageError('--keep takes a folder without a profile');
    const given = await findGivenPassphrase(command.options, false);
    const passphrase = given ?? randomBytes(15).toString('base64url');
    return runSteps({ claims, folder, kept: { passphrase, isMade: given === null } }, output);
  }
  const folder = await mkdtemp(join(tmpdir(), 'claimdesk-demo-'));
  // Removes the demo's files however this process ends, except by SIGKILL.
  const sweep = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  const end = (): void => process.exit(1);
  process.on('exit', sweep);
  for (const signal of endSignals) process.on(signal, end);
  try {
    return await runSteps({ claims, folder, kept: null }, output);
  } finally {
    for (const signal of endSignals) process.off(signal, end);
    process.off('exit', sweep);
    sweep();
  }
}

async function runSteps(
  { claims, folder, kept }: { claims: number; folder: string; kept: Kept | null },
  output: Printer,
): Promise<number> {
  const steps: Record<string, number> = {};
  const timed = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    const value = await run();
    steps[name] = Math.round(performance.now() - began);
    output.info(`${name}: ${steps[name]} ms`);
    return value;
  };

  const service = await timed('sandboxMs', () =>
    startSampleService({ members: Math.max(1, Math.round(claims / 10)), claims }),
  );
  let session: Session | null = null;
  try {
    session = await openSession({
      options: {},
      writes: true,
      ...(kept === null ? { secrets: createEphemeralStore() } : { passphrase: kept.passphrase }),
      profileDir: join(folder, 'profile'),
    });
    return await showAll({ session, service, folder, kept, steps, timed }, output);
  } finally {
    await session?.close();
    await service.close();
  }
}

/** The passphrase of a profile that is kept, and whether it was generated here. */
interface Kept {
  readonly passphrase: string;
  readonly isMade: boolean;
}

interface Stage {
  readonly session: Session;
  readonly service: Awaited<ReturnType<typeof startSampleService>>;
  readonly folder: string;
  readonly kept: Kept | null;
  readonly steps: Readonly<Record<string, number>>;
  readonly timed: <T>(name: string, run: () => Promise<T>) => Promise<T>;
}

async function showAll(
  { session, service, folder, kept, steps, timed }: Stage,
  output: Printer,
): Promise<number> {
  const { id: workspaceId } = await session.call('workspaces:add', {
    baseUrl: service.baseUrl,
    email: service.email,
    name: 'Demo',
  });
  const key = await timed('keyMs', () =>
    session.call('keys:generate', { type: 'ed25519', name: 'Demo key', workspaceId }),
  );
  await timed('registerMs', () => service.register('Demo key', key.publicKey));
  await timed('checkMs', () => session.call('keys:check', { workspaceId }));
  const { receipt, error } = await timed('syncMs', () => syncWorkspace(session, workspaceId, output, false));
  if (error !== null) throw error;
  await service.stop();
  const search = await pickName(session, workspaceId);
  const opened = await timed('offlineSearchMs', () =>
    session.call('records:open', { workspaceId, query: { entity: 'claims', search } }),
  );
  const outPath = join(folder, 'claims.csv');
  const exported = await timed('exportMs', () =>
    exportList(session, {
      workspaceId,
      source: { kind: 'list', query: { entity: 'claims' } },
      format: 'csv',
      reason: 'Sample data',
      outPath,
      isSsnShown: false,
      onProgress: () => undefined,
    }),
  );
  if (exported.rows !== receipt.claims)
    throw new DeskError('internal.fault', { details: { reason: 'rows' } });
  const { members, dependents, lines, proof } = receipt;
  await output.json({
    event: 'done',
    proof,
    members,
    dependents,
    claims: receipt.claims,
    lines,
    found: opened.total,
    exported: exported.rows,
    sha256: exported.files[0]?.sha256,
    ...(kept === null ? {} : { kept: folder }),
    // Printed only if it was generated for the sample; a given passphrase is already known.
    ...(kept?.isMade === true ? { passphrase: kept.passphrase } : {}),
    ...steps,
  });
  if (kept !== null)
    output.info(
      `Open it again with its passphrase: claimdesk list members --profile '${join(folder, 'profile')}'`,
    );
  return 0;
}

/** A last name in the sample, to search for while the service is stopped. */
async function pickName(session: Session, workspaceId: string): Promise<string> {
  const { snapshotId } = await session.call('records:open', { workspaceId, query: { entity: 'members' } });
  const { rows } = await session.call('records:getWindow', { workspaceId, snapshotId, offset: 0, limit: 50 });
  return String(rows.find((row) => typeof row.last_name === 'string')?.last_name ?? 'a');
}
