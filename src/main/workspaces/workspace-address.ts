import { isSecureAddress } from '../../contract/service-address.ts';
import { DeskError } from '../lib/errors.ts';

const maxUrlLength = 2000;

/** A bare host name, which is completed with https://; anything else stays as it was typed. */
const bareHost = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d{1,5})?(?:\/[^\s]*)?$/u;

const completeAddress = (text: string): string => (bareHost.test(text) ? `https://${text}` : text);

/**
 * Normalizes the address of a service: origin and path prefix, no slash at the end. `claims.example.com` is completed
 * with https://. http is allowed only for this computer (127.0.0.0/8, ::1, localhost), where the sandbox is. User,
 * query and fragment are refused rather than removed, because the user typed them for a reason.
 *
 * @throws DeskError `workspace.badUrl`, `workspace.insecureUrl`
 */
export function normalizeBaseUrl(input: string): string {
  const text = completeAddress(input.trim());
  // The URL parser silently corrects blanks, line breaks and backslashes; they are refused here as typing errors.
  if (text.length > maxUrlLength || /[\s\\?#\p{C}]/u.test(text)) throw new DeskError('workspace.badUrl');
  if (!/^https?:\/\/[^/]/i.test(text)) throw new DeskError('workspace.badUrl');
  const authority = text.replace(/^https?:\/\//i, '').split('/', 1)[0] ?? '';
  if (authority.includes('@') || !URL.canParse(text)) throw new DeskError('workspace.badUrl');
  const url = new URL(text);
  if (!isSecureAddress(url)) throw new DeskError('workspace.insecureUrl');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/**
 * Checks the shape of an account email; only the service knows which emails exist. The service compares emails without
 * case (docs/service.md, "SSH-JWT"), and so does the workspace book.
 *
 * @throws DeskError `workspace.badEmail`
 */
export function normalizeEmail(input: string): string {
  const email = input.trim();
  const isShaped = /^[^\s@<>()[\],;:"\\\p{C}]{1,64}@[^\s@<>()[\],;:"\\/\p{C}]{1,253}$/u.test(email);
  if (!isShaped || /^\.|\.@|@[.-]|\.\.|[.-]$/.test(email)) throw new DeskError('workspace.badEmail');
  return email;
}
