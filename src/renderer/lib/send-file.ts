import { filePartBytes } from '../../contract/document-procedures.ts';
import type { Ask } from './desk-query.ts';

/** The bytes of a file in base64. */
export async function readBase64(file: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}

/** Sends a file to the engine in parts, all but the last; returns that with the name of the others. */
export async function sendFile(ask: Ask, whole: File): Promise<{ uploadId?: string; file: string }> {
  let sent: { uploadId?: string } = {};
  let at = 0;
  for (; whole.size - at > filePartBytes; at += filePartBytes) {
    const part = await readBase64(whole.slice(at, at + filePartBytes));
    sent = await ask('reviews:addFilePart', { ...sent, part });
  }
  return { ...sent, file: await readBase64(whole.slice(at)) };
}
