import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Account, RegisteredKey } from '../auth/account.ts';
import { KeyRefused } from '../auth/public-keys.ts';
import { errorBody } from '../http/api-error.ts';
import { isForeign } from '../http/own-origin.ts';
import type { Service } from '../service.ts';
import { escapeHtml, PAGE_HEADERS, PAGE_STYLE } from './page.ts';

type PageState = {
  readonly notice?: string;
  readonly error?: string;
  readonly name?: string;
  readonly publicKey?: string;
};

/** Renders the whole page. It works by keyboard and with a screen reader, without a script. */
function renderSettingsPage(account: Account, state: PageState): string {
  const error = state.error ?? '';
  const describedBy = error === '' ? 'public-key-help' : 'form-error public-key-help';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${error === '' ? '' : 'Error: '}SSH keys</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>SSH keys</h1>
<p>Account <strong>${escapeHtml(account.email)}</strong></p>
<div role="status" id="form-note">${state.notice ? `<p class="note">${escapeHtml(state.notice)}</p>` : ''}</div>
${error === '' ? '' : `<p class="error" role="alert" id="form-error">${escapeHtml(error)}</p>`}
<h2 id="keys-heading">Registered keys</h2>
${renderKeys(account.keys)}
<h2 id="add-heading">Register a key</h2>
<form method="post" action="/settings/ssh" aria-labelledby="add-heading">
<label for="name">Name</label>
<input id="name" name="name" maxlength="100" autocomplete="off" value="${escapeHtml(state.name ?? '')}">
<label for="public_key">Public key</label>
<p id="public-key-help">One line in the OpenSSH form. Ed25519, RSA, or ECDSA P-256, P-384, P-521.</p>
<textarea id="public_key" name="public_key" rows="5" required spellcheck="false" autocomplete="off"
 aria-describedby="${describedBy}"${error === '' ? '' : ' aria-invalid="true"'}>
${escapeHtml(state.publicKey ?? '')}</textarea>
<button type="submit">Register key</button>
</form>
</main>
</body>
</html>
`;
}

function renderKeys(keys: readonly RegisteredKey[]): string {
  if (keys.length === 0) return '<p>No key is registered yet.</p>';
  const rows = keys.map(renderKey).join('\n');
  return `<table aria-labelledby="keys-heading">
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Fingerprint</th><th scope="col">Added</th><th scope="col">Last accessed</th><th scope="col">Action</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>`;
}

const renderKey = (key: RegisteredKey): string =>
  `<tr><th scope="row">${escapeHtml(key.name)}</th><td>${escapeHtml(key.type)}</td><td><code>${escapeHtml(
    key.fingerprint,
  )}</code></td><td>${renderInstant('created', key.createdMs)}</td><td>${
    key.lastAccessedMs === null
      ? '<span class="last_accessed">Never</span>'
      : renderInstant('last_accessed', key.lastAccessedMs)
  }</td><td><form method="post" action="/settings/ssh/delete"><input type="hidden" name="id" value="${escapeHtml(
    key.id,
  )}"><button type="submit" aria-label="Delete key ${escapeHtml(key.name)}">Delete</button></form></td></tr>`;

function renderInstant(name: string, ms: number): string {
  const text = new Date(ms).toISOString();
  return `<time class="${name}" datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

const addFormSchema = z.looseObject({
  name: z.string().max(1000).optional(),
  public_key: z.string().max(65_536).optional(),
});
const deleteFormSchema = z.looseObject({ id: z.string().max(20).optional() });

const notices: Readonly<Record<string, string>> = {
  added: 'The key is registered.',
  deleted: 'The key is deleted.',
};

/**
 * Adds the page where the user registers public keys: `{base_url}/settings/ssh`. It is a web page without a documented
 * API (docs/service.md, "SSH-JWT"). On loopback it has no login; a request from another site's page is refused by its
 * `Origin` or its `Host`.
 */
export async function addSettingsRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.addHook('onRequest', async (request, reply) => {
    if (isForeign(request)) {
      return reply
        .code(403)
        .type('application/json; charset=utf-8')
        .send(errorBody('This page answers only itself', { errorCode: 'origin_not_allowed' }));
    }
  });

  app.get('/settings/ssh', async (request, reply) => {
    const noticeName = z.looseObject({ note: z.string() }).safeParse(request.query).data?.note ?? '';
    return sendPage(service, reply, 200, { notice: notices[noticeName] ?? '' });
  });

  app.post('/settings/ssh', async (request, reply) => {
    const form = addFormSchema.safeParse(request.body ?? {}).data;
    if (form === undefined) return sendPage(service, reply, 422, { error: 'The form could not be read.' });
    const name = form.name ?? '';
    const text = form.public_key ?? '';
    try {
      await service.account.addKey(name, text, service.clock.serverNowMs());
    } catch (error) {
      if (!(error instanceof KeyRefused)) throw error;
      return sendPage(service, reply, 422, { error: error.message, name, publicKey: text });
    }
    return reply.code(303).header('location', '/settings/ssh?note=added').send();
  });

  app.post('/settings/ssh/delete', async (request, reply) => {
    const id = deleteFormSchema.safeParse(request.body ?? {}).data?.id ?? '';
    if (!service.account.deleteKey(id))
      return sendPage(service, reply, 404, { error: 'There is no such key.' });
    return reply.code(303).header('location', '/settings/ssh?note=deleted').send();
  });
}

const sendPage = (service: Service, reply: FastifyReply, status: number, state: PageState): FastifyReply =>
  reply.code(status).headers(PAGE_HEADERS).send(renderSettingsPage(service.account, state));
