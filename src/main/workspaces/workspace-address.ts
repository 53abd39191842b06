import { isSecureAddress } from '../../contract/service-address.ts';
import { DeskError } from '../lib/errors.ts';

const maxUrlLength = 2000;

/** A host name as people write it down; anything that could be more than that stays as it was typed. */
const bareHost = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d{1,5})?(?:\/[^\s]*)?$/u;

const completeAddress = (text: string): string => (bareHost.test(text) ? `https://${text}` : text);

/**
 * Brings the address of a service to its one form: `claims.example.com` is completed with https://; origin and path prefix, no slash at the end. https only;
 * http for this computer alone (127.0.0.0/8, ::1, localhost), where the sandbox is. What is not part of an
 * address of a service (user, query, fragment) is refused rather than cut off: it was meant for something.
 * @throws DeskError `workspace.badUrl`, `workspace.insecureUrl`
 */
export function normalizeBaseUrl(input: string): string {
  const text = completeAddress(input.trim());
  // The URL parser takes blanks, line breaks and backslashes and mends them; nobody types them on purpose.
  if (text.length > maxUrlLength || /[\s\\?#\p{C}]/u.test(text)) throw new DeskError('workspace.badUrl');
  if (!/^https?:\/\/[^/]/i.test(text)) throw new DeskError('workspace.badUrl');
  const authority = text.replace(/^https?:\/\//i, '').split('/', 1)[0] ?? '';
  if (authority.includes('@') || !URL.canParse(text)) throw new DeskError('workspace.badUrl');
  const url = new URL(text);
  if (!isSecureAddress(url)) throw new DeskError('workspace.insecureUrl');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Checks the shape of an account email; the service compares it without case (docs/service.md, "SSH-JWT"), and
 * so does the book. No more than a shape: only the service knows which emails exist.
 * @throws DeskError `workspace.badEmail`
 */
export function normalizeEmail(input: string): string {
  const email = input.trim();
  const isShaped = /^[^\s@<>()[\],;:"\\\p{C}]{1,64}@[^\s@<>()[\],;:"\\/\p{C}]{1,253}$/u.test(email);
  if (!isShaped || /^\.|\.@|@[.-]|\.\.|[.-]$/.test(email)) throw new DeskError('workspace.badEmail');
  return email;
}
