import { maxMatchedText } from '../../../rules/match-document.ts';

/** Reads the text of a PDF or a text file, in this window; blank for others, scans and pictures. Rejects for a damaged PDF file. */
export async function readText(file: File): Promise<string> {
  const start = new Uint8Array(await file.slice(0, 5).arrayBuffer());
  if (String.fromCharCode(...start) === '%PDF-') {
    const { readPdfText } = await import('./open-pdf.ts');
    return readPdfText(new Uint8Array(await file.arrayBuffer()));
  }
  const bytes = await file.slice(0, maxMatchedText).arrayBuffer();
  try {
    // The last character may be cut.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return text.includes('\0') ? '' : text;
  } catch {
    return '';
  }
}
