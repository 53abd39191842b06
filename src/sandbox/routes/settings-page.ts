import type { Account, RegisteredKey } from '../auth/account.ts';
import { escapeHtml, PAGE_STYLE } from './page.ts';

export type PageState = {
  readonly notice?: string;
  readonly error?: string;
  readonly name?: string;
  readonly publicKey?: string;
};

/** The whole page: usable by keyboard and by screen reader, without a script. */
export function renderSettingsPage(account: Account, state: PageState): string {
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

function renderKey(key: RegisteredKey): string {
  return `<tr><th scope="row">${escapeHtml(key.name)}</th><td>${escapeHtml(key.type)}</td><td><code>${escapeHtml(
    key.fingerprint,
  )}</code></td><td>${renderInstant('created', key.createdMs)}</td><td>${
    key.lastAccessedMs === null
      ? '<span class="last_accessed">Never</span>'
      : renderInstant('last_accessed', key.lastAccessedMs)
  }</td><td><form method="post" action="/settings/ssh/delete"><input type="hidden" name="id" value="${escapeHtml(
    key.id,
  )}"><button type="submit" aria-label="Delete key ${escapeHtml(key.name)}">Delete</button></form></td></tr>`;
}

function renderInstant(name: string, ms: number): string {
  const text = new Date(ms).toISOString();
  return `<time class="${name}" datetime="${text}">${text.slice(0, 19).replace('T', ' ')} UTC</time>`;
}
