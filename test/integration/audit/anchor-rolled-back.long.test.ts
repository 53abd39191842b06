import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runInSecretService } from '../../support/secret-service.ts';
import { givenTempProfile } from '../../support/temp-profile.ts';

const folder = givenTempProfile();
const entry = fileURLToPath(new URL('../../../src/main/shells/cli/claimdesk.mjs', import.meta.url));
const passphrase = 'a first long passphrase';

test('a folder that was rolled back after an export is detected, even if the variable opened it for the export', async () => {
  await writeFile(join(folder(), 'typed'), passphrase);
  await mkdir(join(folder(), 'out'));
  const script = `set -e
claimdesk() { "$node" "$entry" "$@"; }
claimdesk unlock set --new-passphrase-fd 3 3<"$work/typed" >/dev/null
claimdesk workspace add --base-url https://claims.example.com --email ada@example.test --passphrase-fd 3 3<"$work/typed"
cp -a "$CLAIMDESK_PROFILE" "$work/earlier"
CLAIMDESK_VAULT_PASSPHRASE="$(cat "$work/typed")" claimdesk audit export --out "$work/log.jsonl"
for name in before after; do
  claimdesk audit verify --json --passphrase-fd 3 3<"$work/typed" >"$work/out/$name-fd" 2>&1 || true
  CLAIMDESK_VAULT_PASSPHRASE="$(cat "$work/typed")" claimdesk audit verify --json >"$work/out/$name-variable" 2>&1 || true
  rm -r "$CLAIMDESK_PROFILE"
  cp -a "$work/earlier" "$CLAIMDESK_PROFILE"
done`;
  const { exitCode, stderr } = await runInSecretService(['bash', '-c', script], {
    environment: {
      node: process.execPath,
      entry,
      work: folder(),
      CLAIMDESK_PROFILE: join(folder(), 'profile'),
    },
  });
  expect(exitCode, stderr).toBe(0);
  const read = (name: string): Promise<string> => readFile(join(folder(), 'out', name), 'utf8');
  for (const way of ['fd', 'variable']) {
    expect(await read(`before-${way}`)).toContain('"isIntact":true');
    expect(await read(`after-${way}`)).toContain('audit.broken');
    expect(await read(`after-${way}`)).toContain('endMissing');
  }
});
