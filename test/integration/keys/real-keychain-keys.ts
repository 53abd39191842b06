/** Runs inside a session bus: makes a key in the profile given, or signs with one, and prints what came of it. */
import { createTokenSigner } from '../../../src/main/auth/token-signer.ts';
import { createKeyRing } from '../../../src/main/keys/key-ring.ts';
import { systemClock } from '../../../src/main/lib/clock.ts';
import { toErrorReport } from '../../../src/main/lib/errors.ts';
import { openProfileSecrets } from '../../support/profile-secrets.ts';

const baseUrl = 'https://claims.example.com';
const [profileDir = '', ...actions] = process.argv.slice(2);
const passphrase = process.env.CLAIMDESK_VAULT_PASSPHRASE ?? '';
const { store: secrets } = openProfileSecrets(profileDir, { passphrase });
const keyRing = createKeyRing({ profileDir, secrets, clock: systemClock });
const signer = createTokenSigner({ keyRing, originsOf: async () => [baseUrl], clock: systemClock });

async function run(action: string): Promise<string> {
  if (action === 'generate') return (await keyRing.generate({ type: 'ed25519', baseUrl })).id;
  const [first] = await keyRing.list();
  const keyId = first?.id ?? 'none';
  if (action === 'sign') {
    const { token } = await signer.getToken({ keyId, email: 'ada@example.test', baseUrl, offsetSeconds: 0 });
    return `${token.split('.').length} parts`;
  }
  await keyRing.remove(keyId);
  return 'removed';
}

for (const action of actions) {
  const outcome = await run(action).catch((error: unknown) => toErrorReport(error).code);
  process.stdout.write(`${outcome}\n`);
}
