import type { documentProcedures } from '../../../contract/document-procedures.ts';
import { isReason } from '../../../contract/export.ts';
import type { Handlers } from '../../../contract/procedures.ts';
import { localDayOf } from '../../../rules/days.ts';
import { cleanDocumentName, maxDocumentBytes } from '../../../rules/document-kinds.ts';
import { DeskError } from '../../lib/errors.ts';
import { writeOutput } from '../export/output-file.ts';
import type { EngineState } from '../state/engine-state.ts';
import { findDocumentType } from './find-document-type.ts';
import type { Reviews } from './reviews.ts';

type State = Pick<
  EngineState,
  'main' | 'auditAction' | 'auditLater' | 'files' | 'backups' | 'clock' | 'getStore'
>;

interface DocumentRef {
  readonly workspaceId: string;
  readonly claimId: number;
  readonly sha256: string;
}

/** @throws DeskError `document.notHere` where the claim has no such document */
async function findDocument(state: State, { workspaceId, claimId, sha256 }: DocumentRef) {
  const userData = await state.files.getUserData(workspaceId);
  const [review] = userData.isThere()
    ? await userData.call('foldReviews', { workspaceId, claimIds: [claimId] })
    : [];
  const document = review?.documents.find((attached) => attached.sha256 === sha256);
  if (document === undefined) throw new DeskError('document.notHere');
  return { userData, document };
}

/** A document that is not on this computer is fetched from the team. */
type FetchDocument = (
  workspaceId: string,
  document: { readonly sha256: string; readonly bytes: number },
) => Promise<Uint8Array | null>;

/**
 * @throws DeskError `document.notHere` where the claim has no such document, or its file is missing; `document.damaged`;
 *   `document.notArrived` or `team.*` where a colleague attached it
 */
async function readDocument(
  { fetchDocument, ...state }: State & { readonly fetchDocument: FetchDocument },
  { sha256, ...of }: DocumentRef,
): Promise<Uint8Array> {
  const { userData, document } = await findDocument(state, { sha256, ...of });
  const bytes = await userData.call('readDocument', { sha256 });
  if (bytes instanceof Uint8Array) return bytes;
  const { workspace } = await state.main.findWorkspace(of.workspaceId);
  const fetched = workspace.team === undefined ? null : await fetchDocument(of.workspaceId, document);
  if (fetched !== null) return fetched;
  if (bytes === 'damaged') throw new DeskError('document.damaged');
  throw new DeskError(workspace.team === undefined ? 'document.notHere' : 'document.notArrived');
}

/**
 * Answers the procedures about documents. `takeFile`: the bytes of a file that was sent in parts. The audit log records
 * who opens or saves a document before it leaves the engine.
 */
export const createDocumentHandlers = (
  state: State & { readonly fetchDocument: FetchDocument },
  reviews: Pick<Reviews, 'act' | 'canUndo' | 'checkAttach' | 'requireWriting' | 'undo'>,
  takeFile: (sent: { workspaceId: string; uploadId?: string | undefined; file: string }) => Buffer,
): Handlers<keyof typeof documentProcedures> => ({
  'documents:attach': async ({ claimId, document, name, ...sent }) => {
    const { workspaceId } = sent;
    const bytes = takeFile(sent);
    if (bytes.length > maxDocumentBytes) throw new DeskError('document.tooLarge');
    await reviews.checkAttach(workspaceId, claimId);
    const userData = await state.files.getUserData(workspaceId);
    const { sha256 } = await userData.call('keepDocument', { bytes });
    let isAttached = false;
    try {
      const done = await reviews.act(
        workspaceId,
        { claimIds: [claimId] },
        {
          kind: 'document',
          document,
          name: cleanDocumentName(name),
          type: findDocumentType(bytes),
          bytes: bytes.length,
          sha256,
          day: localDayOf(new Date(state.clock.now())),
        },
      );
      isAttached = true;
      return { ...done, sha256 };
    } finally {
      await userData.call('endKeeping', { sha256, isAttached });
    }
  },
  'documents:match': async ({ workspaceId, text }) => {
    const store = await state.getStore(workspaceId);
    const matches = await store.read('matchDocument', { text });
    const details = { list: 'claims', by: 'document', hits: matches.length };
    state.auditLater(workspaceId, async () => ({ action: 'identifier.searched', details }));
    return { matches };
  },
  'documents:read': async (request) => {
    const bytes = await readDocument(state, request);
    await state.auditAction(request.workspaceId, 'document.opened', { claimId: request.claimId });
    return { file: Buffer.from(bytes).toString('base64'), type: findDocumentType(bytes) };
  },
  'documents:remove': async ({ workspaceId, claimId, sha256 }) => {
    const { userData, document } = await findDocument(state, { workspaceId, claimId, sha256 });
    await reviews.requireWriting(workspaceId);
    const ids = [document.id, ...document.earlierIds];
    for (const id of ids)
      if (!(await reviews.canUndo(workspaceId, id))) throw new DeskError('review.notYours');
    await state.auditAction(workspaceId, 'document.removed', { claimId });
    const others = (await userData.call('listAttached', null)).filter(
      (attached) => attached.sha256 === sha256 && attached.counts && !ids.includes(attached.id),
    );
    const erase = async (): Promise<void> => {
      await userData.call('beginErasing', [{ sha256 }]);
      try {
        for (const id of ids) await reviews.undo(workspaceId, id);
      } finally {
        await userData.call('endErasing', [{ sha256 }]);
      }
    };
    if (others.length === 0 && userData === state.files.userData)
      await state.backups.keepRemoved({ workspaceId, documents: [{ sha256 }] }, erase);
    else await erase();
    return { isDone: true };
  },
  'documents:auditPrinted': async ({ reason, ...request }) => {
    if (!isReason(reason)) throw new DeskError('export.reasonMissing');
    await findDocument(state, request);
    const { workspaceId, claimId, sha256 } = request;
    await state.auditAction(workspaceId, 'document.printed', { claimId, sha256, reason });
    return { isDone: true };
  },
  'documents:save': async ({ targetId, reason, ...request }) => {
    if (!isReason(reason)) throw new DeskError('export.reasonMissing');
    const path = await state.main.resolveSaveTarget({ targetId, purpose: 'document' });
    const bytes = await readDocument(state, request);
    return writeOutput(path, async (file) => {
      await file.write(bytes);
      const { claimId, workspaceId } = request;
      const { bytes: size, sha256 } = file.readDigest();
      await state.auditAction(workspaceId, 'document.saved', { claimId, bytes: size, sha256, reason });
      return { isDone: true as const };
    });
  },
});
