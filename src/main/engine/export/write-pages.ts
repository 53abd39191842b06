import { createHash } from 'node:crypto';
import type { TableSource } from '../../../contract/export.ts';
import { lettersOf } from '../../../contract/letter-settings.ts';
import { answerDaysOf, type Letter, letterEmployerOf, makeLetter } from '../../../contract/letters.ts';
import type { MemberRecord } from '../../../contract/records.ts';
import { localDayOf } from '../../../rules/days.ts';
import type { Cell } from '../../../rules/query.ts';
import { DeskError } from '../../lib/errors.ts';
import { toPlainJson } from '../store/record/json.ts';
import { createRecordReader } from '../store/record/record-reader.ts';
import type { Job, RowWriter } from './export-job.ts';
import type { OutputFile } from './output-file.ts';
import { createStatementReader, type StatementFacts } from './statement/read-facts.ts';

/** Reads what statements and letters need from their claims. */
function openPages({ wanted, database, userData }: Job) {
  const { pages, workspaceId, at } = wanted;
  if (pages === null) throw new DeskError('internal.fault');
  const today = localDayOf(new Date(at));
  const { settings } = pages;
  const read = createStatementReader(database, { userData, workspaceId, settings, today });
  const readRows = (rows: readonly (readonly Cell[])[]) => read(rows.map(([key]) => Number(key)));
  return { pages, today, readRows };
}

/** The rows of statements and letters are the keys of their claims. */
export async function openPdf(job: Job, output: OutputFile): Promise<RowWriter> {
  const { wanted, data } = job;
  const { source, at, by } = wanted;
  const { pages, today, readRows } = openPages(job);
  // Loaded late: mail needs no library for pages.
  const { createPagesPdf } = await import('./statement/statement-pdf.ts');
  const pdf = createPagesPdf({ title: job.title, at, write: (bytes) => output.write(bytes) });
  const { workspace } = pages;
  return {
    async write(rows) {
      for (const facts of readRows(rows)) {
        if (source.kind === 'letters') {
          const letter = makeOne(job, source, facts, today);
          if (letter !== null) await pdf.writeLetter(letter);
        } else await pdf.writeStatement(facts, { data, workspace, at, by });
      }
    },
    end: () => pdf.end(),
    abort: async () => pdf.abort(),
  };
}

/** Writes letters as text for mail: each with its address, separated by a line. */
export async function openMail(job: Job, output: OutputFile): Promise<RowWriter> {
  const { source } = job.wanted;
  if (source.kind !== 'letters') throw new DeskError('internal.fault');
  const { today, readRows } = openPages(job);
  return {
    async write(rows) {
      for (const facts of readRows(rows)) {
        const letter = makeOne(job, source, facts, today);
        if (letter === null) continue;
        const { addressee, text } = letter;
        const divider = job.letters.length === 1 ? '' : `\n${'-'.repeat(72)}\n\n`;
        await output.write(Buffer.from(`${divider}${addressee.join('\n')}\n\n${text}\n`, 'utf8'));
      }
    },
  };
}

/** Makes the letter of one claim, and stores what its event needs. Null: a part is missing, so it is left out. */
function makeOne(
  { wanted, database, letters, leftOut }: Job,
  source: Extract<TableSource, { kind: 'letters' }>,
  facts: StatementFacts,
  today: string,
): Letter | null {
  const { letter: kind, typed } = source;
  const { claim } = facts;
  const memberId = claim.members?.[0]?.id;
  const member = typeof memberId === 'number' ? createRecordReader(database).members(memberId) : null;
  const { address } = (member === null ? {} : toPlainJson(member.record)) as MemberRecord;
  const { pages } = wanted;
  if (pages === null) throw new DeskError('internal.fault');
  const { settings } = lettersOf(pages.letters, letterEmployerOf(claim));
  const answerDays = answerDaysOf(claim, pages.settings);
  const letterFacts = { ...facts, address: address ?? null, answerDays };
  const letter = makeLetter(kind, letterFacts, { settings, typed, today });
  if (letter.missing.length > 0) {
    leftOut.push({ claimId: claim.id, missing: letter.missing.join(' ') });
    return null;
  }
  const digest = createHash('sha256').update(letter.text, 'utf8').digest('hex');
  letters.push({ claimId: claim.id, act: { kind: 'letter', letter: kind, digest, said: letter.said } });
  return letter;
}
