import type { DocumentProblem, DocumentsReport } from '../../../../contract/store.ts';
import { writeMarks } from '../file/side-files.ts';
import type { UserDataStore } from './user-data-store.ts';

/** How much one call checks, so that acts and lists of reviews don't wait for it. */
const documentsAtOnce = 200;
const bytesAtOnce = 16_000_000;
const maxProblems = 100;

interface Wanted {
  readonly workspaceId: string;
  readonly isFull: boolean;
  readonly at: string;
  /** False: the check ends without a result. */
  readonly isOn?: () => boolean;
}

/**
 * Checks that this computer has each document attached to a claim or member of a workspace: its length and, in a full
 * check, its hash. A document that a colleague attached may be missing. Null where there are no documents, or the check
 * was ended.
 * @throws DeskError `store.*`, `disk.*`
 */
export async function checkDocuments(
  userData: UserDataStore,
  request: Wanted,
): Promise<DocumentsReport | null> {
  const { workspaceId, isFull, at, isOn = () => true } = request;
  const listAll = async () =>
    (await userData.call('listAttached', null)).filter((document) => document.workspaceId === workspaceId);
  const all = await listAll();
  const attached = all.filter(({ counts }) => counts);
  const documents = [...new Map(attached.map((document) => [document.sha256, document])).values()];
  const states = new Map<string, Awaited<ReturnType<typeof checkSome>>[number]>();
  const checkSome = (some: typeof documents) => userData.call('checkDocuments', { documents: some, isFull });
  for (let from = 0; from < documents.length; ) {
    let to = from;
    for (let bytes = 0; to < documents.length && to - from < documentsAtOnce && bytes < bytesAtOnce; to += 1)
      bytes += isFull ? (documents[to]?.bytes ?? 0) : 0;
    if (!isOn()) return null;
    const some = documents.slice(from, to);
    const answers = await checkSome(some);
    for (const [index, { sha256 }] of some.entries()) states.set(sha256, answers[index] ?? 'whole');
    from = to;
  }
  if (!isOn()) return null;
  const unused = await userData.call('countUnused', null);
  const isAttached = new Set(attached.map(({ sha256 }) => sha256));
  const others = new Map(
    all.flatMap((document) => (isAttached.has(document.sha256) ? [] : [[document.sha256, document]])),
  );
  const ofOthers = { documents: [...others.values()], isFull: false };
  const undone = (await userData.call('checkDocuments', ofOthers)).filter(
    (state) => state !== 'document.notHere',
  ).length;
  if (documents.length + unused + undone === 0) return null;
  // A document that was removed in between no longer has a file.
  const isHere = new Set(attached.flatMap(({ sha256, isImported }) => (isImported ? [] : [sha256])));
  const problems = (await listAll()).flatMap(({ sha256, claimId, counts }) => {
    const code = states.get(sha256);
    if (!counts || code === undefined || code === 'whole' || code === 'mended') return [];
    return code === 'document.notHere' && !isHere.has(sha256) ? [] : [{ sha256, claimId, code }];
  });
  const countOf = (code: DocumentProblem): number =>
    new Set(problems.flatMap((problem) => (problem.code === code ? [problem.sha256] : []))).size;
  const check = {
    at,
    isFull,
    isSound: problems.length === 0,
    documents: documents.length,
    notHere: countOf('document.notHere'),
    damaged: countOf('document.damaged'),
    mended: [...states.values()].filter((state) => state === 'mended').length,
    unused,
    undone,
  };
  writeMarks(userData.filePath, { documents: check });
  return {
    ...check,
    problems: problems.slice(0, maxProblems).map(({ code, claimId }) => ({ code, claimId })),
  };
}
