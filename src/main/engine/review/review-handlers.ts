import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../../contract/procedures.ts';
import type { reviewProcedures } from '../../../contract/review-procedures.ts';
import type { runProcedures } from '../../../contract/run-procedures.ts';
import { actOf } from '../../../rules/review/event-kinds.ts';
import type { ReviewImport } from '../../../rules/review/review.ts';
import { DeskError } from '../../lib/errors.ts';
import { writeOutput } from '../export/output-file.ts';
import type { EngineState } from '../state/engine-state.ts';
import { createDocumentHandlers } from './document-handlers.ts';
import type { Reviews } from './reviews.ts';

const readFile = (base64: string): Uint8Array => Buffer.from(base64, 'base64');

/** Answers the procedures about reimbursement runs. */
export const createRunHandlers = (
  state: Pick<EngineState, 'auditAction'>,
  reviews: Reviews,
): Handlers<keyof typeof runProcedures> => ({
  'runs:estimate': reviews.estimateRun,
  'runs:make': ({ workspaceId, ...options }) => reviews.makeRun(workspaceId, options),
  'runs:list': async ({ workspaceId }) => ({ runs: await reviews.listRuns(workspaceId) }),
  'runs:get': reviews.getRun,
  'runs:step': ({ workspaceId, runId, step, acceptsMarked }) =>
    reviews.stepRun(workspaceId, runId, step, acceptsMarked),
  'runs:preview': reviews.previewRun,
  'runs:readResults': ({ workspaceId, runId, file, employerId }) =>
    reviews.readResults(workspaceId, runId, { file: readFile(file), employerId }),
  'runs:applyResults': async ({ workspaceId, selectionId, day, allPaid = false }) => {
    const done = await reviews.applyResults(workspaceId, selectionId, { day, allPaid });
    const { rejected, recorded } = done;
    await state.auditAction(workspaceId, 'payments.imported', {
      claims: rejected.claims + recorded.claims,
    });
    return done;
  },
});

/** The largest file of reviews that can be read, in bytes. */
const maxFileBytes = 2_000_000_000;

/** A file of reviews and a document can arrive at the same time; a third one replaces the oldest. */
const maxUploads = 2;

/** The most authors of an imported file that the audit log lists. */
const maxAuthors = 20;

/** Describes an import for the audit log: counts, and the same for each author that the file states. */
const describeImport = ({ events, claims, people, actsLeftOut, ownClaimsLeftOut }: ReviewImport) => ({
  events,
  claims,
  people: people.length,
  leftOut: actsLeftOut.reduce((sum, act) => sum + act.events, ownClaimsLeftOut),
  ...Object.fromEntries(
    people.slice(0, maxAuthors).map((person, index) => {
      const counts = Object.entries(person.byKind).map(([kind, count]) => `${kind} ${count}`);
      const keys = person.keys.map(
        ({ fingerprint, isKnown }) => `${isKnown ? 'known' : 'new'} key ${fingerprint}`,
      );
      const said = [...counts, `claims ${person.claims}`, `not signed ${person.notSigned}`, ...keys].join(
        ', ',
      );
      return [`author${index + 1}`, `${person.author.slice(0, 100)}: ${said}`.slice(0, 300)];
    }),
  ),
});

/** Answers the procedures about reviews. The audit log records written and read files before the answer. */
export function createReviewHandlers(
  state: Parameters<typeof createDocumentHandlers>[0],
  reviews: Reviews,
): Handlers<keyof typeof reviewProcedures> {
  /** The newest files that are being uploaded in parts, by ID; only a few, because they are in memory. */
  const uploads = new Map<string, { readonly workspaceId: string; readonly parts: Buffer[] }>();
  const findUpload = (workspaceId: string, id: string): { readonly parts: Buffer[] } => {
    const upload = uploads.get(id);
    if (upload?.workspaceId !== workspaceId) throw new DeskError('review.importInterrupted');
    return upload;
  };
  const takeFile = (sent: { workspaceId: string; uploadId?: string | undefined; file: string }): Buffer => {
    const before = sent.uploadId === undefined ? [] : findUpload(sent.workspaceId, sent.uploadId).parts;
    uploads.delete(sent.uploadId ?? '');
    return Buffer.concat([...before, Buffer.from(sent.file, 'base64')]);
  };
  return {
    ...createDocumentHandlers(state, reviews, takeFile),
    'reviews:get': async ({ workspaceId, claimId }) => {
      await reviews.updateOnce(workspaceId);
      return reviews.get(workspaceId, claimId);
    },
    'reviews:listEvents': async (request) => {
      await reviews.updateOnce(request.workspaceId);
      return reviews.listEvents(request);
    },
    'reviews:listPapers': async ({ workspaceId, memberId = null }) => {
      await reviews.updateOnce(workspaceId);
      return reviews.listPapers(workspaceId, memberId);
    },
    'reviews:act': async ({ workspaceId, target, act, acceptsEarly }) => {
      if (actOf(act).isOfFile === true) throw new DeskError('usage.invalid');
      return reviews.act(workspaceId, target, act, acceptsEarly);
    },
    'reviews:freeze': ({ workspaceId, from }) =>
      reviews.freezeList(workspaceId, from.snapshotId, from.places ?? null, from.kind === 'acceptable'),
    'reviews:estimate': reviews.estimate,
    'reviews:estimateProposals': reviews.estimateProposals,
    'reviews:estimateOpen': reviews.estimateOpen,
    'reviews:deal': reviews.deal,
    'reviews:getUndo': async ({ workspaceId, claimId }) => ({
      event: await reviews.findUndoable(workspaceId, claimId ?? null),
    }),
    'reviews:undo': ({ workspaceId, eventId }) => reviews.undo(workspaceId, eventId),
    'reviews:readPayments': ({ file, account = '', ...request }) =>
      reviews.readPayments({ ...request, account, file: readFile(file) }),
    'reviews:recordPayments': async ({ workspaceId, selectionId, acceptsEarly }) => {
      const done = await reviews.recordPayments(workspaceId, selectionId, acceptsEarly);
      await state.auditAction(workspaceId, 'payments.imported', { claims: done.claims });
      return done;
    },
    'reviews:export': async ({ workspaceId, passphrase, targetId }) => {
      const path = await state.main.resolveSaveTarget({ targetId, purpose: 'reviews' });
      return writeOutput(path, async (file) => {
        const written = await reviews.writeFile(workspaceId, passphrase, file.write);
        await state.auditAction(workspaceId, 'reviews.exported', written);
        return written;
      });
    },
    'reviews:addFilePart': async ({ workspaceId, uploadId, part }) => {
      const id = uploadId ?? randomUUID();
      if (uploadId === undefined) {
        uploads.set(id, { workspaceId, parts: [] });
        if (uploads.size > maxUploads) uploads.delete(uploads.keys().next().value as string);
      }
      const { parts } = findUpload(workspaceId, id);
      parts.push(Buffer.from(part, 'base64'));
      if (parts.reduce((sum, { length }) => sum + length, 0) > maxFileBytes) {
        uploads.delete(id);
        throw new DeskError('usage.invalid');
      }
      return { uploadId: id };
    },
    'reviews:import': async ({ passphrase, ...sent }) => {
      const { workspaceId } = sent;
      const report = await reviews.readFile(workspaceId, takeFile(sent), passphrase);
      await state.auditAction(workspaceId, 'reviews.imported', describeImport(report));
      return report;
    },
  };
}
