import { expect } from 'vitest';
import type { DoctorResult, DoctorStep } from '../../../src/contract/doctor.ts';
import { doctorResultSchema } from '../../../src/contract/doctor.ts';
import { type DoctorStepId, doctorStepIds, type FindingCode } from '../../../src/contract/doctor-steps.ts';
import type { SshKey } from '../../../src/contract/ssh-keys.ts';
import { createEphemeralStore } from '../../../src/main/keychain/secret-store.ts';
import { openSession, type Session } from '../../../src/main/shells/cli/session.ts';

export const accountEmail = 'jane.planted@sandbox.example';
export const keyName = 'Janes planted key';

export interface DoctorDesk {
  readonly session: Session;
  readonly workspaceId: string;
  /** Null where the workspace was left without one. */
  readonly key: SshKey | null;
  diagnose(): Promise<DoctorResult>;
  close(): Promise<void>;
}

/** A real desk and engine over a new profile, with a workspace of this address and a key of its own. */
export async function openDoctorDesk(options: {
  profileDir: string;
  baseUrl: string;
  email?: string;
  hasKey?: boolean;
  register?: (publicKey: string) => Promise<unknown>;
  confirm?: () => Promise<boolean>;
}): Promise<DoctorDesk> {
  const { profileDir, baseUrl, email = accountEmail } = options;
  const session = await openSession({
    options: {},
    writes: true,
    secrets: createEphemeralStore(),
    profileDir,
    ...(options.confirm === undefined ? {} : { confirm: options.confirm }),
  });
  const { id: workspaceId } = await session.call('workspaces:add', {
    baseUrl,
    email,
    name: 'Planted workspace',
  });
  const key =
    options.hasKey === false
      ? null
      : await session.call('keys:generate', { type: 'ed25519', name: keyName, workspaceId });
  if (key !== null) await options.register?.(key.publicKey);
  return {
    session,
    workspaceId,
    key,
    diagnose: async () => doctorResultSchema.parse(await session.call('doctor:run', { workspaceId })),
    close: () => session.close(),
  };
}

export function stepOf(result: DoctorResult, id: DoctorStepId): DoctorStep {
  return result.steps.find((step) => step.id === id) as DoctorStep;
}

/** The bar: cause named, remedy named, within five seconds, nothing in the report that should not be. */
export function expectCause(result: DoctorResult, cause: FindingCode | RegExp, desk?: DoctorDesk): void {
  expect(result.steps.map(({ id }) => id)).toEqual(doctorStepIds);
  expect(result.cause).toMatch(cause instanceof RegExp ? cause : new RegExp(`^${cause}$`));
  const step = result.steps.find(({ code }) => code === result.cause);
  expect(step?.remedy, 'a remedy').toMatch(/\w.*\.$/);
  expect(JSON.stringify(result.steps.map(({ sentence, remedy }) => [sentence, remedy]))).not.toMatch(/[{}?]/);
  expect(result.durationMs).toBeLessThan(5_000);
  expectCleanReport(result, desk);
  if (process.env.DOCTOR_TIMES === '1') process.stderr.write(`${result.cause} ${result.durationMs} ms\n`);
}

/** No email, no name, no host, no key, no token. */
export function expectCleanReport({ report }: DoctorResult, desk?: DoctorDesk): void {
  expect(report).toContain('Claimdesk connection report');
  const planted = [
    accountEmail,
    keyName,
    'planted',
    'sandbox.example',
    '127.0.0.1',
    'localhost',
    'doctor.test',
  ];
  for (const text of planted) expect(report.toLowerCase()).not.toContain(text.toLowerCase());
  expect(report).not.toMatch(/@|eyJ|ssh-ed25519|SHA256:|https?:\/\/(?!claims\.example\.com)\w/);
  if (desk?.key != null) {
    for (const part of desk.key.publicKey.split(' ')) expect(report).not.toContain(part);
    expect(report).not.toContain(desk.key.fingerprint.slice(7));
  }
}
