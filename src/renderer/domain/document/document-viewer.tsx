/// <reference path="./pdfjs-dist.d.ts" />
import { Button } from '@mantine/core';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { formatCountOf } from '../../../rules/count.ts';
import type { DocumentType } from '../../../rules/document-kinds.ts';
import { DialogForm } from '../../components/dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { SavedPath } from '../../components/saved-path.tsx';
import { SmallButton } from '../../components/small-button.tsx';
import { LoadingNote } from '../../components/states.tsx';
import { SmallPrint, Status } from '../../components/text.tsx';
import { useBridge } from '../../lib/desk-context.tsx';
import { reportOf } from '../../lib/desk-error.ts';
import { useAsk } from '../../lib/desk-query.ts';
import { useSaveLabel } from '../../lib/use-save-label.ts';
import { useSaveFile } from '../../lib/use-secret-call.ts';
import { useWorkspace } from '../../lib/workspace-context.tsx';
import { noReason, ReasonChoice, reasonText } from '../list/reason-choice.tsx';
import styles from './documents.module.css';
import {
  drawImage,
  noteMissing,
  notShown,
  type OfDocument,
  type OpenedDocument,
  pageWidth,
  shownTextBytes,
} from './draw-document.ts';
import { PrintForm } from './print-document.tsx';

function useDocument({ claimId, document: { sha256 } }: OfDocument) {
  const { id: workspaceId } = useWorkspace();
  const bridge = useBridge();
  const ask = useAsk();
  const [state, setState] = useState<{ opened: OpenedDocument | null; error: unknown }>({
    opened: null,
    error: null,
  });
  useEffect(() => {
    let isOn = true;
    let isAwaited = false;
    /** The team had news while the document was asked for. */
    let hasNews = false;
    const read = async (): Promise<void> => {
      isAwaited = false;
      hasNews = false;
      try {
        const { file, type } = await ask('documents:read', { claimId, sha256 });
        // A loop: by `from`, 10 MB take a second.
        const letters = atob(file);
        const bytes = new Uint8Array(letters.length);
        for (let at = 0; at < letters.length; at += 1) bytes[at] = letters.charCodeAt(at);
        if (isOn) setState({ opened: { type, bytes }, error: null });
      } catch (error) {
        if (!isOn) return;
        setState({ opened: null, error });
        isAwaited = reportOf(error).code === 'document.notArrived';
        if (isAwaited && hasNews) await read();
      }
    };
    void read();
    const end = bridge.subscribe('team:changed', (changed) => {
      if (changed.workspaceId !== workspaceId) return;
      hasNews = true;
      if (isAwaited) void read();
    });
    return () => {
      isOn = false;
      end();
    };
  }, [bridge, ask, workspaceId, claimId, sha256]);
  return state;
}

const zooms = [50, 75, 100, 150, 200, 300] as const;

/** Shows a document: images, text and PDF files. Nothing of it runs or is fetched; other files can be saved. */
export function DocumentViewer(of: OfDocument) {
  const { opened, error } = useDocument(of);
  const [zoom, setZoom] = useState(100);
  const [asked, setAsked] = useState<'save' | 'print' | null>(null);
  const [askedBefore, setAskedBefore] = useState(asked);
  const step = (by: number) => setZoom(zooms[zooms.indexOf(zoom as (typeof zooms)[number]) + by] ?? zoom);
  if (error !== null) {
    const isElsewhere = reportOf(error).code === 'document.notArrived';
    const title = isElsewhere
      ? `On ${of.document.author}’s computer, not sent yet`
      : 'Couldn’t open this document';
    return <ErrorNotice error={error} title={title} />;
  }
  if (opened === null)
    return <LoadingNote>{of.isOfTeam ? 'Fetching from the team…' : 'Opening the document…'}</LoadingNote>;
  // The button gets the focus again, so that Esc is for this dialog.
  const close = () => {
    setAskedBefore(asked);
    setAsked(null);
  };
  if (asked === 'save') return <SaveForm {...of} type={opened.type} onClose={close} />;
  if (asked === 'print') return <PrintForm {...of} opened={opened} onClose={close} />;
  const isDrawn = opened.type === 'pdf' || opened.type === 'png' || opened.type === 'jpeg';
  return (
    <>
      <div className={styles.bar}>
        {isDrawn && (
          <>
            <SmallButton disabled={zoom === zooms[0]} onClick={() => step(-1)} aria-label="Zoom out">
              −
            </SmallButton>
            <span>{zoom}%</span>
            <SmallButton disabled={zoom === zooms.at(-1)} onClick={() => step(1)} aria-label="Zoom in">
              +
            </SmallButton>
          </>
        )}
        <SmallButton autoFocus={askedBefore === 'save'} onClick={() => setAsked('save')}>
          Save a copy…
        </SmallButton>
        {opened.type !== 'other' && (
          <SmallButton autoFocus={askedBefore === 'print'} onClick={() => setAsked('print')}>
            Print…
          </SmallButton>
        )}
      </div>
      {opened.type === 'other' && <p>This type of file can’t be shown here. You can save a copy.</p>}
      {opened.type === 'text' && <TextPages bytes={opened.bytes} />}
      {opened.type === 'pdf' && <PdfPages bytes={opened.bytes} zoom={zoom} />}
      {isDrawn && opened.type !== 'pdf' && <Picture opened={opened} zoom={zoom} />}
    </>
  );
}

function TextPages({ bytes }: Pick<OpenedDocument, 'bytes'>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys.
    <section className={styles.shown} aria-label="Text" tabIndex={0}>
      <pre className={styles.text}>{new TextDecoder().decode(bytes.subarray(0, shownTextBytes))}</pre>
      {bytes.length > shownTextBytes && <SmallPrint>Only the first megabyte is shown.</SmallPrint>}
    </section>
  );
}

/** Puts a canvas into an element, scaled to a percentage of its width. */
function show(parent: HTMLElement | null, canvas: HTMLCanvasElement, zoom: number): void {
  canvas.style.width = `${zoom}%`;
  parent?.append(canvas);
}

/** A small copy of a page; pressed, it brings the page into sight. */
function makeThumbnail(page: HTMLCanvasElement, number: number): HTMLButtonElement {
  const small = document.createElement('canvas');
  Object.assign(small, { width: 96, height: Math.min(400, Math.ceil((96 * page.height) / page.width)) });
  small.getContext('2d')?.drawImage(page, 0, 0, small.width, small.height);
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    onclick: () => page.scrollIntoView({ block: 'start' }),
  });
  button.setAttribute('aria-label', `Go to page ${number}`);
  button.append(small);
  return button;
}

/** Scales the canvases in an element; what is drawn later is shown at the value that the result has then. */
function useZoom(parent: RefObject<HTMLElement | null>, zoom: number): RefObject<number> {
  const zoomNow = useRef(zoom);
  useEffect(() => {
    zoomNow.current = zoom;
    for (const canvas of parent.current?.querySelectorAll('canvas') ?? []) canvas.style.width = `${zoom}%`;
  }, [parent, zoom]);
  return zoomNow;
}

function Picture({ opened, zoom }: { opened: OpenedDocument; zoom: number }) {
  const place = useRef<HTMLElement>(null);
  const zoomNow = useZoom(place, zoom);
  const [isFailed, setIsFailed] = useState(false);
  useEffect(() => {
    let isOn = true;
    void drawImage(opened.bytes, opened.type).then((canvas) => {
      if (!isOn) return;
      if (canvas === null) setIsFailed(true);
      else show(place.current, canvas, zoomNow.current);
    });
    return () => {
      isOn = false;
      place.current?.replaceChildren();
    };
  }, [opened, zoomNow]);
  if (isFailed) return <p role="alert">{notShown}</p>;
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys.
  return <section className={styles.shown} ref={place} aria-label="Picture" tabIndex={0} />;
}

/** Pages that are drawn at a time: each takes some megabytes. */
const pagesAtOnce = 10;

function PdfPages({ bytes, zoom }: Pick<OpenedDocument, 'bytes'> & { zoom: number }) {
  const place = useRef<HTMLElement>(null);
  const thumbnails = useRef<HTMLElement>(null);
  const zoomNow = useZoom(place, zoom);
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  const [first, setFirst] = useState(1);
  useEffect(() => {
    let isOn = true;
    let close: () => unknown = () => undefined;
    void import('./open-pdf.ts').then(async ({ openPdf }) => {
      if (!isOn) return;
      const file = openPdf(bytes.slice());
      close = file.close;
      await file.opened.then(
        (document) => isOn && setPdf(document),
        () => isOn && setIsFailed(true),
      );
    });
    return () => {
      isOn = false;
      close();
    };
  }, [bytes]);
  useEffect(() => {
    if (pdf === null) return;
    let isOn = true;
    const drawAll = async () => {
      const { drawPage } = await import('./open-pdf.ts');
      const last = Math.min(pdf.numPages, first + pagesAtOnce - 1);
      for (let number = first; isOn && number <= last; number += 1) {
        const { canvas, missing } = await drawPage(pdf, number, pageWidth);
        canvas.setAttribute('role', 'img');
        canvas.setAttribute('aria-label', `Page ${number}`);
        if (!isOn) return;
        show(place.current, canvas, zoomNow.current);
        if (last > 1) thumbnails.current?.append(makeThumbnail(canvas, number));
        if (missing === null) continue;
        place.current?.append(noteMissing(number, missing));
      }
    };
    drawAll().catch(() => isOn && setIsFailed(true));
    return () => {
      isOn = false;
      place.current?.replaceChildren();
      thumbnails.current?.replaceChildren();
    };
  }, [pdf, first, zoomNow]);
  if (isFailed) return <p role="alert">{notShown}</p>;
  if (pdf === null) return <LoadingNote>Opening the document…</LoadingNote>;
  const pages = pdf.numPages;
  return (
    <>
      <div className={styles.bar}>
        <SmallPrint>{formatCountOf(pages, 'page')}</SmallPrint>
        {pages > pagesAtOnce && (
          <>
            <SmallButton disabled={first === 1} onClick={() => setFirst(first - pagesAtOnce)}>
              Earlier pages
            </SmallButton>
            <SmallButton disabled={first + pagesAtOnce > pages} onClick={() => setFirst(first + pagesAtOnce)}>
              Later pages
            </SmallButton>
          </>
        )}
      </div>
      <nav className={styles.thumbnails} ref={thumbnails} aria-label="Pages of the file" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keys. */}
      <section className={styles.shown} ref={place} aria-label="Pages" tabIndex={0} />
    </>
  );
}

const endings: Readonly<Record<DocumentType, string>> = {
  pdf: '.pdf',
  png: '.png',
  jpeg: '.jpg',
  text: '.txt',
  other: '',
};
/** A file of another type keeps a short extension of its own. */
const endingOf = (type: DocumentType, name: string): string =>
  endings[type] || (/\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? '.bin').toLowerCase();

/** Saves a copy, which is no longer encrypted, with a reason for the audit log. */
function SaveForm({
  claimId,
  document,
  type,
  onClose,
}: OfDocument & { type: DocumentType; onClose: () => void }) {
  const ask = useAsk();
  const saveLabel = useSaveLabel('copy');
  const [reason, setReason] = useState(noReason);
  const { saved, save, isPending, error } = useSaveFile<{ isDone: true }>({
    purpose: 'document',
    suggestedName: `document-${document.sha256.slice(0, 8)}${endingOf(type, document.name)}`,
  });
  if (saved !== null)
    return (
      <>
        <Status>
          Saved as <SavedPath path={saved.displayPath} />
        </Status>
        <Button onClick={onClose} ml="auto" mt={8}>
          Done
        </Button>
      </>
    );
  const why = reasonText(reason);
  return (
    <DialogForm
      action={saveLabel}
      isReady={why !== ''}
      isPending={isPending}
      error={error}
      errorTitle="Couldn’t save a copy"
      onSubmit={() =>
        save((targetId) =>
          ask('documents:save', {
            claimId,
            sha256: document.sha256,
            targetId,
            reason: why,
          }),
        )
      }
      onCancel={onClose}
    >
      <SmallPrint>The copy isn’t encrypted.</SmallPrint>
      <ReasonChoice reason={reason} onChange={setReason} />
    </DialogForm>
  );
}
