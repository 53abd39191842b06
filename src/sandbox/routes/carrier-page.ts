import type { Flow } from '../connect/patient-access.ts';
import { escapeHtml, PAGE_STYLE } from './page.ts';

/**
 * The carrier's own pages of a Patient Access flow: sign in, agree, done. They have no scripts and are usable by
 * keyboard.
 */
export function renderCarrierPage(flow: Flow, action: string, error?: string): string {
  if (flow.status === 'SUCCESS')
    return page(
      flow,
      'Connected',
      '<p role="status" id="carrier-note">You are connected. You can close this window.</p>',
    );
  if (flow.status === 'FAILURE')
    return page(
      flow,
      'Not connected',
      `<p role="alert" class="error" id="carrier-note">${escapeHtml(flow.error ?? '')}</p><p>You can close this window.</p>`,
    );
  return flow.username === null ? renderSignIn(flow, action, error) : renderConsent(flow, action);
}

function renderSignIn(flow: Flow, action: string, error?: string): string {
  const alert =
    error === undefined ? '' : `<p class="error" role="alert" id="carrier-error">${escapeHtml(error)}</p>`;
  const invalid = error === undefined ? '' : ' aria-invalid="true" aria-describedby="carrier-error"';
  return page(
    flow,
    `${error === undefined ? '' : 'Error: '}Sign in`,
    `${alert}
<form method="post" action="${action}/sign-in">
<label for="username">Username</label>
<input id="username" name="username" required maxlength="200" autocomplete="username"${invalid}>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="200" autocomplete="current-password"${invalid}>
<button type="submit">Sign in</button>
</form>`,
  );
}

function renderConsent(flow: Flow, action: string): string {
  return page(
    flow,
    'Share your data?',
    `<p><strong>${escapeHtml(flow.member.tenant.name)}</strong> asks to read:</p>
<ul><li>your claims</li><li>the names of the people your plan covers</li></ul>
<form method="post" action="${action}/decide">
<button type="submit" name="decision" value="allow">Allow</button>
<button type="submit" name="decision" value="deny">Do not allow</button>
</form>`,
  );
}

function page(flow: Flow, title: string, body: string): string {
  const name = escapeHtml(flow.payer.name);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – ${name}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
<p>${name}</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}
