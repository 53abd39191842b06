/**
 * Runs inside a session bus: does the steps given as JSON against the system's keychain, through our store,
 * and prints one JSON line a step.
 */
import { execFileSync } from 'node:child_process';
import { createKeychainStore } from '../../../src/main/keychain/keychain-store.ts';
import { getOrCreateSecret } from '../../../src/main/keychain/secret-store.ts';
import { toErrorReport } from '../../../src/main/lib/errors.ts';

export type Step =
  | { do: 'get' | 'delete'; account: string }
  | { do: 'set'; account: string; text: string }
  | { do: 'getOrCreate'; account: string; mayCreate: boolean }
  | { do: 'state' }
  | { do: 'lock' };

export type StepResult = { value: string | null } | { code: string };

const store = createKeychainStore({ serviceName: 'Claimdesk test' });

async function runStep(step: Step): Promise<string | null> {
  switch (step.do) {
    case 'get':
      return (await store.get(step.account))?.toString('utf8') ?? null;
    case 'set':
      await store.set(step.account, Buffer.from(step.text));
      return null;
    case 'delete':
      await store.delete(step.account);
      return null;
    case 'getOrCreate': {
      const secret = await getOrCreateSecret(store, step.account, { mayCreate: step.mayCreate });
      return `${secret.length} bytes`;
    }
    case 'state':
      return store.getState();
    case 'lock': {
      const path = '/org/freedesktop/secrets';
      const method = 'org.freedesktop.Secret.Service.Lock';
      execFileSync('dbus-send', [
        ...['--session', '--print-reply', '--dest=org.freedesktop.secrets', path, method],
        `array:objpath:${path}/collection/login`,
      ]);
      return null;
    }
  }
}

const steps = JSON.parse(process.argv[2] ?? '[]') as Step[];
for (const step of steps) {
  const result: StepResult = await runStep(step).then(
    (value) => ({ value }),
    (error: unknown) => ({ code: toErrorReport(error).code }),
  );
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
