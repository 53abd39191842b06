/// <reference path="./pdfjs-dist.d.ts" />
import { AnnotationMode, GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist';
import { maxMatchedText } from '../../../rules/match-document.ts';

/** The most pixels of an image in a PDF file, and bytes of a page's canvas. */
const [maxImagePixels, maxCanvasBytes] = [40_000_000, 160_000_000];

/** A file can keep its thread busy without end: then it isn't shown, and the thread is ended without being asked. */
const [openLimitMs, closeLimitMs] = [20_000, 1_000];

async function answerWithin<T>(limitMs: number, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(late.reject, limitMs, new Error('The thread of this file does not answer.'));
  return Promise.race([answer, late.promise]).finally(() => clearTimeout(timer));
}

/**
 * Opens a PDF file in a thread of pdf.js. Nothing of the file runs: pdf.js runs its scripts and forms only in a viewer of its
 * own, which isn't loaded. It makes no code from text and fetches nothing: there is no address it could ask.
 */
export function openPdf(bytes: Uint8Array) {
  const thread = new Worker(new URL('./pdf-worker.ts', import.meta.url), { type: 'module' });
  GlobalWorkerOptions.workerPort = thread;
  const loading = getDocument({
    data: bytes,
    isEvalSupported: false,
    enableXfa: false,
    useWasm: false,
    useWorkerFetch: false,
    isOffscreenCanvasSupported: false,
    maxImageSize: maxImagePixels,
    canvasMaxAreaInBytes: maxCanvasBytes,
    verbosity: 0,
  });
  return {
    opened: answerWithin(openLimitMs, loading.promise),
    async close() {
      await answerWithin(closeLimitMs, loading.destroy())
        .catch(() => undefined)
        .finally(() => thread.terminate());
    },
  };
}

/** How much of a file's text is read. */
const [maxTextPages, textLimitMs] = [30, 5_000];

/** Reads the text of a PDF file in its thread, as far as the limits go; blank where it has none, as a scan. */
export async function readPdfText(bytes: Uint8Array): Promise<string> {
  const { opened, close } = openPdf(bytes);
  const untilMs = performance.now() + textLimitMs;
  let text = '';
  try {
    const pdf = await opened;
    for (let number = 1; number <= Math.min(pdf.numPages, maxTextPages); number += 1) {
      if (text.length >= maxMatchedText || performance.now() > untilMs) break;
      const page = await pdf.getPage(number);
      const { items } = await answerWithin(textLimitMs, page.getTextContent());
      text += `${items.map(({ str = '', hasEOL }) => (hasEOL ? `${str}\n` : str)).join('')}\n`;
      page.cleanup();
    }
  } finally {
    await close();
  }
  return text.slice(0, maxMatchedText);
}

/** The largest side of a page's canvas in pixels; a larger page is drawn smaller. */
const maxSide = 6_000;

/** Whether nothing was drawn, by a small copy. */
function isBlank(canvas: HTMLCanvasElement): boolean {
  const small = Object.assign(document.createElement('canvas'), { width: 100, height: 130 });
  const context = small.getContext('2d');
  context?.drawImage(canvas, 0, 0, small.width, small.height);
  return context?.getImageData(0, 0, small.width, small.height).data.every((value) => value === 255) === true;
}

/**
 * Draws a page onto a canvas, `width` pixels wide. `number`: from 1. `missing`: what may be missing on it, as JPEG 2000 images are,
 * for which there is no decoder here.
 */
export async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  width: number,
): Promise<{ canvas: HTMLCanvasElement; missing: string | null }> {
  const page = await answerWithin(openLimitMs, pdf.getPage(number));
  const whole = page.getViewport({ scale: 1 });
  const scale = Math.min(width / whole.width, maxSide / Math.max(whole.width, whole.height));
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: Math.ceil(viewport.width), height: Math.ceil(viewport.height) });
  await answerWithin(
    openLimitMs,
    page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE }).promise,
  );
  const isImageMissing = [...page.objs, ...page.commonObjs].some(([, image]) => image === null);
  page.cleanup();
  if (isImageMissing)
    return { canvas, missing: 'This page has an image that can’t be shown here. You can save a copy.' };
  return {
    canvas,
    missing: isBlank(canvas) ? 'This page is blank, or has an image that can’t be shown here.' : null,
  };
}
