import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { toTeamError } from '../../../../../src/main/engine/team/team-client.ts';
import { fetchDocument } from '../../../../../src/main/engine/team/team-documents.ts';
import { firstDocumentPart, sealDocumentPart } from '../../../../../src/team-protocol/document-parts.ts';
import { testBytes } from '../../../../support/seeds.ts';

type Fetching = Parameters<typeof fetchDocument>;

const teamKey = { generation: 1, key: testBytes(32) };
const place = { team: 'a-team', entryId: 'an-event' };
const bytes = Buffer.from(testBytes(1_500_000));
const sha256 = createHash('sha256').update(bytes).digest('hex');

/** Fetches a document from a server that has these versions of each part. */
async function fetchFrom(parts: readonly (readonly Buffer[])[]) {
  const kept: Uint8Array[] = [];
  const client = {
    part: async (_id: string, part: number, version: number) => {
      const sealed = parts[part - firstDocumentPart]?.[version];
      if (sealed === undefined) throw toTeamError('part.notThere');
      return sealed;
    },
  };
  const log = { state: { members: { keys: new Map([[1, teamKey.key]]) } } };
  const session = { workspaceId: 'w', team: place.team, computer: 'c', client, log };
  const userData = {
    call: async (name: string, input: { bytes: Uint8Array }) => {
      if (name === 'listAttached')
        return [{ id: place.entryId, sha256, bytes: bytes.length, workspaceId: 'w', counts: true }];
      if (name === 'keepDocument') kept.push(input.bytes);
      return null;
    },
  };
  const wanted = { sha256, bytes: bytes.length };
  const fetched = await fetchDocument(
    ...([session, userData, wanted] as unknown as [Fetching[0], Fetching[1], Fetching[2]]),
  );
  expect(kept).toHaveLength(fetched === null ? 0 : 1);
  return fetched;
}

const partsOf = (document: Buffer) =>
  [0, 1].map((index) => sealDocumentPart(document, index, place, teamKey));

test('a document is what the event describes, or is not accepted', async () => {
  const [first, second] = partsOf(bytes) as [Buffer, Buffer];
  expect(bytes.equals((await fetchFrom([[first], [second]])) ?? Buffer.alloc(0))).toBe(true);
  // Sealed by the team's key, and of another document.
  const other = partsOf(Buffer.from(bytes).fill(7, 1_400_000)) as [Buffer, Buffer];
  expect(await fetchFrom([[first], [other[1]]])).toBeNull();
  // In the place of another part, or not all of them.
  expect(await fetchFrom([[second], [first]])).toBeNull();
  expect(await fetchFrom([[first]])).toBeNull();
  // What no member sealed is passed over.
  const junk = Buffer.from(first).fill(0, 40, 60);
  expect(await fetchFrom([[junk, first], [second]])).not.toBeNull();
  expect(await fetchFrom([[junk], [second]])).toBeNull();
});
