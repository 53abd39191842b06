import { expect, test } from 'vitest';
import { openTestStore } from '../../../../../support/engine-store.ts';

const member = { id: 7, dependents: [{ id: 70 }, { id: 71 }] };
const claim = { id: 1, claim_medical_lines: [{ line_number: 1 }, { line_number: 2 }] };

test('stored counts are used until a record changes', () => {
  const { database, ingest, read, write } = openTestStore();
  ingest('members', [member]);
  ingest('claims', [claim, { id: 2 }, 'odd']);
  const counted = read.countForKeeping(null);
  expect(counted).toMatchObject({
    isKept: false,
    counts: { members: 1, dependents: 2, claims: 2, lines: 2, setAside: 1, archivedMembers: 0 },
  });
  write.keepCounts({ ...counted, counts: { ...counted.counts, claims: 99 } });
  // Whatever was kept: it shows that nothing was counted.
  expect(read.countForKeeping(null)).toMatchObject({ isKept: true, counts: { claims: 99, setAside: 1 } });
  ingest('claims', ['odder']);
  expect(read.countForKeeping(null)).toMatchObject({ isKept: true, counts: { setAside: 2 } });

  ingest('claims', [{ ...claim, status: 'Rejected' }]);
  expect(read.countForKeeping(null)).toMatchObject({ isKept: false, counts: { claims: 2 } });
  for (const change of [
    () => ingest('members', [{ ...member, dependents: [] }]),
    () => database.prepare("UPDATE claims SET gone_since='2026-01-01' WHERE id=1").run(),
    () => database.prepare('DELETE FROM claims WHERE id=2').run(),
  ]) {
    write.keepCounts(read.countForKeeping(null));
    expect(read.countForKeeping(null).isKept).toBe(true);
    change();
    expect(read.countForKeeping(null).isKept).toBe(false);
  }
  expect(read.countRecords(null)).toMatchObject({ members: 1, dependents: 0, claims: 0 });
});
