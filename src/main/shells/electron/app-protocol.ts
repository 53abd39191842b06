import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { protocol, type Session } from 'electron';
import { baseHeaders } from '../../lib/loopback/json-exchange.ts';
import { readFilledPage, type readStart } from '../page/fill-page.ts';
import type { PageFile } from '../page/page-files.ts';
import { contentPolicy, headersOf, pageHeaders } from '../page/page-policy.ts';
import { appScheme, isAppOrigin } from './app-address.ts';

/** Must be called before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the built window, and nothing else, under `app://claimdesk/` to the windows of one session. */
export function serveApp(
  session: Session,
  ports: { files: ReadonlyMap<string, PageFile>; readStart: () => ReturnType<typeof readStart> },
): void {
  session.protocol.handle(appScheme, async (request) => {
    const refuse = (status: number): Response => new Response(null, { status, headers: baseHeaders });
    if (!isAppOrigin(request.url)) return refuse(403);
    if (request.method !== 'GET') return refuse(405);
    const { pathname } = new URL(request.url);
    const file = ports.files.get(pathname === '/' ? '/index.html' : pathname);
    if (file === undefined || pathname === '/index.html') return refuse(404);
    if (pathname !== '/')
      return new Response(new Uint8Array(await readFile(file.path)), { headers: headersOf(file) });
    const nonce = randomBytes(16).toString('base64url');
    const body = await readFilledPage(file.path, { engine: '', nonce, ...(await ports.readStart()) });
    return new Response(body, { headers: pageHeaders(contentPolicy({ nonce, connect: [] })) });
  });
}
