import { expect, test } from 'vitest';
import { keySourceSchema } from '../../../../../src/contract/ssh-keys.ts';
import { readDroppedFile } from '../../../../../src/renderer/domain/key/import-form.tsx';

const file = (bytes: Uint8Array<ArrayBuffer>) => new File([bytes], 'id_ed25519');

test('a dropped file is sent unchanged, every byte of it', async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
  const source = keySourceSchema.parse(await readDroppedFile(file(bytes)));
  expect(source.kind).toBe('bytes');
  const base64 = source.kind === 'bytes' ? source.base64 : '';
  expect(Buffer.from(base64, 'base64').equals(Buffer.from(bytes))).toBe(true);
});

test('the contract accepts the largest that is sent; a larger one is not a key', async () => {
  const most = await readDroppedFile(file(new Uint8Array(256 * 1024)));
  expect(keySourceSchema.safeParse(most).success).toBe(true);
  await expect(readDroppedFile(file(new Uint8Array(256 * 1024 + 1)))).rejects.toMatchObject({
    report: { code: 'key.notAKey' },
  });
});

test('a folder can’t be read, and that is reported', async () => {
  const folder = {
    size: 0,
    arrayBuffer: () => Promise.reject(new Error('NotFoundError')),
  } as unknown as File;
  await expect(readDroppedFile(folder)).rejects.toMatchObject({ report: { code: 'key.fileUnreadable' } });
});
