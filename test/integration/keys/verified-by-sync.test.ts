import { expect, test } from 'vitest';
import { openBench } from '../../support/engine-session.ts';

test('a key that signed a complete sync is verified', async () => {
  const bench = await openBench('--members', '4', '--claims', '8', '--seed', '3');
  try {
    const session = await bench.open(await bench.newProfile());
    const { keyId } = await session.findWorkspace();
    const find = async () => (await session.call('keys:list', {})).keys.find(({ id }) => id === keyId);
    expect(await find()).toMatchObject({ provenAt: null });
    await bench.sync(session);
    expect(await find()).toMatchObject({ provenAt: expect.any(String) });
    await session.close();
  } finally {
    await bench.close();
  }
});
