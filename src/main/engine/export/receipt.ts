import { createHmac, timingSafeEqual } from 'node:crypto';
import { basename } from 'node:path';
import type { ExportColumn, ExportedFile, ExportFormat, ExportSource } from '../../../contract/export.ts';
import {
  type ExportReceipt,
  type ExportVerdict,
  exportReceiptSchema,
} from '../../../contract/export-receipt.ts';
import { DeskError } from '../../lib/errors.ts';
import { headerOf } from './csv.ts';
import type { DataState } from './notes.ts';

const about =
  'What a Claimdesk export was. Its query may name people: keep it as safe as the export. Check with: claimdesk verify FILE';

const sealOf = (text: string, key: Uint8Array): string =>
  `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;

/** The text that is sealed: the receipt without its seal, its fields in the order in which they stand. */
const sealedText = ({ seal: _seal, ...rest }: Record<string, unknown>): string => JSON.stringify(rest);

/** Makes the text of a receipt, sealed. `key`: 32 bytes. */
export function writeReceipt(
  facts: {
    readonly files: readonly ExportedFile[];
    readonly format: ExportFormat;
    readonly source: ExportSource;
    readonly columns: readonly ExportColumn[];
    readonly isSsnShown: boolean;
    readonly rows: number;
    readonly sums: Readonly<Record<string, string>>;
    readonly content: string;
    readonly data: DataState;
    readonly workspaceId: string;
    readonly at: string;
    readonly by: string | null;
    readonly reason: string | null;
  },
  key: Uint8Array,
): string {
  const { last } = facts.data;
  const receipt: Omit<ExportReceipt, 'seal'> = {
    about,
    version: 1,
    files: facts.files.map(({ path, ...file }) => ({ name: basename(path), ...file })),
    format: facts.format,
    source: facts.source,
    columns: facts.columns.map(({ path, kind }) => ({ name: headerOf(path), type: kind })),
    isSsnShown: facts.isSsnShown,
    rows: facts.rows,
    sums: facts.sums,
    content: facts.content,
    sync:
      last === null
        ? null
        : { runId: last.runId, finishedAt: last.finishedAt, outcome: last.outcome, digest: last.digest },
    workspaceId: facts.workspaceId,
    exportedAt: facts.at,
    exportedBy: facts.by,
    reason: facts.reason,
  };
  return `${JSON.stringify({ ...receipt, seal: sealOf(JSON.stringify(receipt), key) }, null, 2)}\n`;
}

/** Reads a receipt. @throws DeskError `export.noReceipt` for a text that is none */
export function readReceipt(text: string): {
  receipt: ExportReceipt;
  isSealedBy: (key: Uint8Array) => boolean;
} {
  try {
    const sent = JSON.parse(text) as Record<string, unknown>;
    const receipt = exportReceiptSchema.parse(sent);
    const found = Buffer.from(receipt.seal);
    const isSealedBy = (key: Uint8Array): boolean => {
      const expected = Buffer.from(sealOf(sealedText(sent), key));
      return found.length === expected.length && timingSafeEqual(found, expected);
    };
    return { receipt, isSealedBy };
  } catch (thrown) {
    throw new DeskError('export.noReceipt', { cause: thrown });
  }
}

/** Each file of a receipt beside what is there under its name. */
export function judgeFiles(
  receipt: Pick<ExportReceipt, 'files'>,
  there: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[],
): ExportVerdict['files'] {
  const byName = new Map(there.map((file) => [file.name, file]));
  // One file under another name is still that file.
  const [only] = there;
  const renamed = receipt.files.length === 1 && there.length === 1 ? only : undefined;
  return receipt.files.map(({ name, bytes, sha256 }) => {
    const found = byName.get(name) ?? renamed;
    if (found === undefined) return { name, state: 'missing' as const };
    return { name, state: found.bytes === bytes && found.sha256 === sha256 ? 'intact' : 'changed' };
  });
}
