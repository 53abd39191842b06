import { z } from 'zod';
import { documentKinds, documentTypes, sha256 } from '../rules/document-kinds.ts';
import { maxMatchedText } from '../rules/match-document.ts';
import { reviewDoneSchema } from '../rules/review/review.ts';
import { done, inEngine, withoutRecords, workspaceRef } from './procedure-parts.ts';

/** The size of one part of a file in bytes; a larger file is sent in several calls. */
export const filePartBytes = 8_000_000;
export const filePart = z.base64().max(11_000_000);

/** A document of a claim, or of a member (`member-subject.ts`). */
const documentRef = workspaceRef.extend({ claimId: z.int(), sha256 });

export const documentProcedures = {
  /**
   * Attaches a file. `file`: the whole file, or its last part, where `uploadId` has the parts before
   * (`reviews:addFilePart`). The same bytes are stored once.
   */
  'documents:attach': inEngine(
    workspaceRef.extend({
      claimId: z.int(),
      document: z.enum(documentKinds),
      name: z.string().max(2_000),
      uploadId: z.string().max(60).optional(),
      file: filePart,
    }),
    reviewDoneSchema.extend({ sha256: z.string() }),
    withoutRecords,
  ),
  /** The best three claims for the text of a document, the best first; `says`: the values that agree. Nothing of it is stored. */
  'documents:match': inEngine(
    workspaceRef.extend({ text: z.string().max(maxMatchedText) }),
    z.object({
      matches: z.array(z.object({ claimId: z.int(), isByNumber: z.boolean(), says: z.string() })).max(3),
    }),
    withoutRecords,
  ),
  /** The bytes in base64, to be shown. `type` is what the bytes are. */
  'documents:read': inEngine(
    documentRef,
    z.object({ file: z.string(), type: z.enum(documentTypes) }),
    withoutRecords,
  ),
  /**
   * Undoes the acts by which you attached the document, and erases its file once no claim or member has it. This
   * can't be undone.
   */
  'documents:remove': inEngine(documentRef, done, withoutRecords),
  /** Records that the document is printed, before it is. */
  'documents:auditPrinted': inEngine(
    documentRef.extend({ reason: z.string().trim().max(200) }),
    done,
    withoutRecords,
  ),
  /** Writes the document to a file, unencrypted. */
  'documents:save': inEngine(
    documentRef.extend({ targetId: z.string(), reason: z.string().trim().max(200) }),
    done,
    withoutRecords,
  ),
} as const;
