import { useCallback, useEffect, useState } from 'react';
import { DialogForm } from '../../components/dialog.tsx';
import { PrintSheet } from '../../components/print-sheet.tsx';
import { LoadingNote } from '../../components/states.tsx';
import { SmallPrint } from '../../components/text.tsx';
import { useAsk } from '../../lib/desk-query.ts';
import { useSecretWork } from '../../lib/use-secret-call.ts';
import { noReason, ReasonChoice, reasonText } from '../list/reason-choice.tsx';
import {
  drawImage,
  noteMissing,
  notShown,
  type OfDocument,
  type OpenedDocument,
  pageWidth,
  shownTextBytes,
} from './draw-document.ts';

/** The most pages that are printed: each takes ten megabytes until it is. */
const maxPrinted = 30;

async function drawAll({ bytes, type }: OpenedDocument): Promise<readonly HTMLElement[]> {
  if (type !== 'pdf') {
    const canvas = await drawImage(bytes, type);
    if (canvas === null) throw new Error('This image can’t be drawn.');
    return [canvas];
  }
  const { drawPage, openPdf } = await import('./open-pdf.ts');
  const { opened, close } = openPdf(bytes.slice());
  try {
    const pdf = await opened;
    const drawn: HTMLElement[] = [];
    for (let number = 1; number <= Math.min(pdf.numPages, maxPrinted); number += 1) {
      const { canvas, missing } = await drawPage(pdf, number, pageWidth);
      drawn.push(canvas, ...(missing === null ? [] : [noteMissing(number, missing)]));
    }
    return drawn;
  } finally {
    await close();
  }
}

/** Prints a document once the audit log has it, with a reason. */
export function PrintForm({
  claimId,
  document: { sha256 },
  opened,
  onClose,
}: OfDocument & { opened: OpenedDocument; onClose: () => void }) {
  const ask = useAsk();
  const [reason, setReason] = useState(noReason);
  const [isNoted, setIsNoted] = useState(false);
  const { run, isPending, error } = useSecretWork();
  const why = reasonText(reason);
  const print = () =>
    run(async () => {
      await ask('documents:auditPrinted', { claimId, sha256, reason: why });
      setIsNoted(true);
    });
  if (isNoted) return <PrintedDocument opened={opened} onEnd={onClose} />;
  return (
    <DialogForm
      action="Print"
      isReady={why !== ''}
      isPending={isPending}
      error={error}
      errorTitle="Couldn’t print"
      onSubmit={print}
      onCancel={onClose}
    >
      {opened.type === 'text' && opened.bytes.length > shownTextBytes && (
        <SmallPrint>Only the first megabyte is printed.</SmallPrint>
      )}
      {opened.type === 'pdf' && <SmallPrint>At most the first {maxPrinted} pages are printed.</SmallPrint>}
      <ReasonChoice reason={reason} onChange={setReason} />
    </DialogForm>
  );
}

function PrintedDocument({ opened, onEnd }: { opened: OpenedDocument; onEnd: () => void }) {
  const [drawn, setDrawn] = useState<readonly HTMLElement[] | 'failed' | null>(
    opened.type === 'text' ? [] : null,
  );
  useEffect(() => {
    if (opened.type !== 'text') drawAll(opened).then(setDrawn, () => setDrawn('failed'));
  }, [opened]);
  const show = useCallback(
    (parent: HTMLDivElement | null) => parent?.replaceChildren(...(Array.isArray(drawn) ? drawn : [])),
    [drawn],
  );
  if (drawn === 'failed') return <p role="alert">{notShown}</p>;
  if (drawn === null) return <LoadingNote>Drawing the pages…</LoadingNote>;
  return (
    <PrintSheet onEnd={onEnd} aria-label="Printed document">
      {opened.type === 'text' ? (
        <pre>{new TextDecoder().decode(opened.bytes.subarray(0, shownTextBytes))}</pre>
      ) : (
        <div ref={show} />
      )}
    </PrintSheet>
  );
}
