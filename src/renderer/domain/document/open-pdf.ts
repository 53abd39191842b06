/// <reference path="./pdfjs-dist.d.ts" />
import { AnnotationMode, GlobalWorkerOptions, getDocument, type PDFDocumentProxy } from 'pdfjs-dist';

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

/** The largest side of a page's canvas in pixels; a larger page is drawn smaller. */
const maxSide = 6_000;

/** Draws a page onto a canvas, `width` pixels wide. `number`: from 1. */
export async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  width: number,
): Promise<HTMLCanvasElement> {
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
  page.cleanup();
  return canvas;
}
