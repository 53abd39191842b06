import { createHash } from 'node:crypto';
import {
  countDocumentParts,
  firstDocumentPart,
  openDocumentPart,
  sealDocumentPart,
} from '../../../team-protocol/document-parts.ts';
import { generationOf } from '../../../team-protocol/seal.ts';
import { DeskError, toDeskError } from '../../lib/errors.ts';
import type { UserDataStore } from '../store/threads/user-data-store.ts';
import { findVersion, partsAtOnce } from './entry-parts.ts';
import { isReader } from './require-writer.ts';
import { answerOf } from './team-client.ts';
import { newestKey } from './team-members.ts';
import type { TeamDocuments, TeamPorts, TeamSession, WantedDocument } from './team-ports.ts';

type Session = Pick<TeamSession, 'workspaceId' | 'team' | 'computer' | 'client' | 'log'>;

/**
 * Sends the parts of a document that the server may lack. It is not an error if the server already has one, or the
 * event was removed.
 */
async function sendDocument(session: Session, id: string, bytes: Uint8Array): Promise<void> {
  const { team, computer, client, log } = session;
  for (let index = 0; index < countDocumentParts(bytes.length); index += 1) {
    const key = newestKey(log.state.members, computer);
    if (key === null) throw new DeskError('team.notMember');
    const sealed = sealDocumentPart(bytes, index, { team, entryId: id }, key);
    await client.putPart(id, firstDocumentPart + index, sealed).catch((thrown: unknown) => {
      if (answerOf(thrown) !== 'part.differs' && answerOf(thrown) !== 'entry.removed') throw thrown;
    });
  }
}

/** Reads the document as this event's author sent it; null: parts are missing, or it is another document. */
async function readParts(session: Session, id: string, document: WantedDocument): Promise<Buffer | null> {
  const { team, client, log } = session;
  const { keys } = log.state.members;
  const readOne = (index: number): Promise<Buffer | null> =>
    findVersion(client, { id }, firstDocumentPart + index, (sealed) => {
      const generation = generationOf(sealed);
      const key = generation === null ? undefined : keys.get(generation);
      if (generation === null || key === undefined) return null;
      return openDocumentPart(sealed, index, { team, entryId: id }, { generation, key });
    });
  const parts: Buffer[] = [];
  const count = countDocumentParts(document.bytes);
  for (let at = 0; at < count; at += partsAtOnce) {
    const some = Array.from({ length: Math.min(partsAtOnce, count - at) }, (_none, index) =>
      readOne(at + index),
    );
    for (const part of await Promise.all(some)) {
      if (part === null) return null;
      parts.push(part);
    }
  }
  const bytes = Buffer.concat(parts);
  return createHash('sha256').update(bytes).digest('hex') === document.sha256 ? bytes : null;
}

/**
 * Fetches a document from the team's server and stores it on this computer. Null: no computer that attached it has sent
 * it yet.
 * @throws DeskError `team.*`, `disk.*`
 */
export async function fetchDocument(
  session: Session,
  userData: UserDataStore,
  document: WantedDocument,
): Promise<Uint8Array | null> {
  const attached = await userData.call('listAttached', null);
  for (const { id, sha256, workspaceId, counts } of attached) {
    if (sha256 !== document.sha256 || workspaceId !== session.workspaceId || !counts) continue;
    const bytes = await readParts(session, id, document);
    if (bytes === null) continue;
    await userData.call('keepDocument', { bytes });
    await userData.call('endKeeping', { sha256, isAttached: true });
    return bytes;
  }
  return null;
}

/** How long to wait for the next try after the server refused a document because it is full. */
const fullMs = 600_000;

/**
 * Sends documents after their events, fetches all of them if that was chosen, and erases what colleagues removed, one
 * after another, in parallel with exchanges. After a restart it continues where it ended.
 */
export function createTeamDocuments(
  ports: TeamPorts,
  session: Session,
  userData: UserDataStore,
): TeamDocuments {
  const { workspaceId, log } = session;
  let problem: DeskError | null = null;
  let nextMs = 0;
  let tendedAt = -1;
  /** The number of the log up to which all documents are here. */
  let wholeAt = -1;
  let running: Promise<void> | null = null;
  const send = async (signal: AbortSignal | undefined): Promise<void> => {
    for (const { id, sha256 } of await userData.call('listUnsentDocuments', { workspaceId })) {
      if (signal?.aborted) return;
      const bytes = await userData.call('readDocument', { sha256 });
      if (!(bytes instanceof Uint8Array)) continue;
      await sendDocument(session, id, bytes);
      await userData.call('keepDocumentSent', { workspaceId, id });
      ports.onChanged(workspaceId);
    }
  };
  const fetchAll = async (signal: AbortSignal | undefined): Promise<void> => {
    const { keepsTeamDocuments } = await ports.main.getSettings(workspaceId);
    const { number } = log.state.position;
    if (!keepsTeamDocuments.includes(workspaceId) || number === wholeAt) return;
    const attached = (await userData.call('listAttached', null)).filter(
      (document) => document.workspaceId === workspaceId && document.counts,
    );
    const documents = [...new Map(attached.map((document) => [document.sha256, document])).values()];
    const states = await userData.call('checkDocuments', { documents, isFull: false });
    let isWhole = true;
    for (const [index, document] of documents.entries()) {
      if (signal?.aborted) return;
      if (states[index] !== 'document.notHere') continue;
      if ((await fetchDocument(session, userData, document)) === null) isWhole = false;
    }
    if (isWhole) wholeAt = number;
  };
  const eraseRemoved = async (): Promise<void> => {
    const documents = await userData.call('listRemoved', null);
    if (documents.length === 0) return;
    await ports.backups.keepRemoved({ workspaceId, documents }, async () => {
      await userData.call('beginErasing', documents);
      await userData.call('endErasing', documents);
    });
  };
  const tend = async (signal: AbortSignal | undefined): Promise<void> => {
    const { number } = log.state.position;
    if (number !== tendedAt) await eraseRemoved();
    tendedAt = number;
    if (ports.clock.now() >= nextMs) {
      if (!isReader(session)) await send(signal);
      problem = null;
    }
    await fetchAll(signal);
  };
  return {
    tend: (signal) => {
      running ??= tend(signal)
        .catch((thrown: unknown) => {
          problem = toDeskError(thrown);
          if (problem.code === 'team.documentsFull') nextMs = ports.clock.now() + fullMs;
          ports.onChanged(workspaceId);
        })
        .finally(() => {
          running = null;
        });
      return running;
    },
    end: () => running ?? Promise.resolve(),
    status: async () => ({
      unsent: (await userData.call('listUnsentDocuments', { workspaceId })).length,
      isFull: problem?.code === 'team.documentsFull',
    }),
  };
}
