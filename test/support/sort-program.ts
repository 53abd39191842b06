import { openStore } from '../../src/main/engine/store/threads/store.ts';

// Reads records with known names and keeps sorting them, while a test examines the process from outside.
const [filePath = '', keyHex = '', countText = '0', planted = ''] = process.argv.slice(2);
const names = planted.split(',');
const store = await openStore({ filePath, key: Buffer.from(keyHex, 'hex'), isReadOnly: false, readers: 2 });
const count = Number(countText);
const perPage = 1_000;
for (let from = 0; from < count; from += perPage) {
  const data = Array.from({ length: perPage }, (_none, index) => {
    const id = from + index + 1;
    const name = names[id % names.length] ?? '';
    return {
      id,
      patient_name: `${name} ${id}`,
      remarks: `${'r'.repeat(id % 400)} ${name}`,
      service_provider: `Provider ${(id * 7919) % 10_007}`,
    };
  });
  await store.write('ingestPage', {
    kind: 'claims',
    body: Buffer.from(JSON.stringify({ data })),
    pass: 1,
    page: 1 + from / perPage,
    seenAt: '2026-01-01T00:00:00.000Z',
    requestId: null,
    isPartOfPass: false,
  });
  if (from === 0) process.stdout.write('begun\n');
}
process.stdout.write('sorting\n');
let isEnough = false;
process.stdin.resume().once('end', () => {
  isEnough = true;
});
let sorts = 0;
while (!isEnough) {
  for (const field of ['remarks', 'patient_name', 'service_provider']) {
    await store.read('listKeys', { entity: 'claims', sort: [{ field, direction: 'desc' }] });
    sorts += 1;
  }
}
process.stdout.write(`sorted ${sorts}\n`);
await store.close();
