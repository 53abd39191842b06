import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { type ExportReceipt, receiptExtension } from '../../../../contract/export-receipt.ts';
import { DeskError } from '../../../lib/errors.ts';
import type { Output } from '../output.ts';
import { allowOptions, type Command } from '../parse-command.ts';
import { openSession } from '../session.ts';

/**
 * `claimdesk verify FILE`: exit 0 where the export and its receipt are as they were written, 3 where another profile
 * wrote them, so that nothing here can tell.
 */
export async function runVerify(command: Command, output: Output): Promise<number> {
  allowOptions(command, [], 2);
  const path = resolve(command.words[1] as string);
  const { receiptPath, receipt } = await findReceipt(path);
  const files = await Promise.all(
    namesIn(receipt).map((name) => measure(pathOf({ path, receiptPath }, name, namesIn(receipt).length))),
  );
  const session = await openSession({ options: command.options, writes: false });
  try {
    const verdict = await session.call('export:verify', {
      receipt,
      files: files.filter((file) => file !== null),
    });
    await output.json(verdict);
    const isAsTold = verdict.files.every(({ state }) => state === 'intact');
    if (!isAsTold || verdict.receipt === 'changed') throw new DeskError('export.notAsExported');
    if (verdict.receipt === 'intact') return 0;
    output.info(
      'The file is what its receipt says, but another profile wrote the receipt: whether it is genuine can’t be told here.',
    );
    return 3;
  } finally {
    await session.close();
  }
}

/** The receipt beside a file, of one of several numbered files too, or the file itself where it is one. */
async function findReceipt(path: string): Promise<{ receiptPath: string; receipt: string }> {
  const extension = extname(path);
  const whole = join(dirname(path), basename(path, extension).replace(/-\d+$/, '') + extension);
  const candidates = path.endsWith(receiptExtension)
    ? [path]
    : [path + receiptExtension, whole + receiptExtension];
  for (const receiptPath of candidates) {
    const receipt = await readFile(receiptPath, 'utf8').catch(() => null);
    if (receipt !== null) return { receiptPath, receipt };
  }
  throw new DeskError('export.noReceipt');
}

/** The files that a receipt is about. @throws DeskError `export.noReceipt` */
function namesIn(receipt: string): string[] {
  try {
    const { files } = JSON.parse(receipt) as Pick<ExportReceipt, 'files'>;
    return files.map(({ name }) => basename(name));
  } catch (thrown) {
    throw new DeskError('export.noReceipt', { cause: thrown });
  }
}

/** A single file may have been given another name, together with its receipt. */
function pathOf(where: { path: string; receiptPath: string }, name: string, count: number): string {
  const isReceipt = where.path === where.receiptPath;
  if (count > 1) return join(dirname(where.receiptPath), name);
  return isReceipt ? where.receiptPath.slice(0, -receiptExtension.length) : where.path;
}

async function measure(path: string): Promise<{ name: string; bytes: number; sha256: string } | null> {
  const facts = await stat(path).catch(() => null);
  if (facts === null) return null;
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { name: basename(path), bytes: facts.size, sha256: hash.digest('hex') };
}
