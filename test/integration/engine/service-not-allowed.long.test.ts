import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openBench } from '../../support/engine-session.ts';

test('nothing is sent to a service that the policy no longer allows, whatever signs it; its records are kept', async () => {
  const bench = await openBench('--members', '5', '--claims', '20', '--seed', '3');
  onTestFinished(() => bench.close());
  const profileDir = await bench.newProfile();
  const before = await bench.open(profileDir);
  await bench.sync(before);
  const { id: workspaceId } = await before.findWorkspace();
  const { publicToken, secretKey } = bench.sandbox.connect;
  await before.call('connect:saveSettings', { workspaceId, publicToken, secretKey });
  await before.call('connect:mint', { workspaceId });
  await before.close();

  const policyFile = join(profileDir, 'policy.json');
  writeFileSync(policyFile, JSON.stringify({ allowedServices: ['https://claims.example.com'] }));
  await bench.sandbox.control('DELETE', '/requests');
  const session = await bench.open(profileDir, { policyFile });
  onTestFinished(() => session.close());
  const engine = await session.getEngine();
  const refused = { code: 'policy.serviceNotAllowed' };
  await expect(session.call('connect:mint', { workspaceId })).rejects.toMatchObject(refused);
  await expect(session.call('doctor:run', { workspaceId })).rejects.toMatchObject(refused);
  await expect(engine.probe({ workspaceId })).rejects.toMatchObject(refused);
  expect((await bench.sync(session)).error).toMatchObject(refused);
  expect(await bench.sandbox.control('GET', '/requests')).toEqual({ data: [] });
  expect(await bench.readAll(session, 'claims')).toHaveLength(20);
});
