import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { givenSandbox } from './given-sandbox.ts';
import { claimsFor, KEY_KINDS, makeKey, register, signToken } from './keys.ts';

const sandbox = givenSandbox('--members', '5', '--claims', '5');
const page = async () => (await fetch(`${sandbox.baseUrl}/settings/ssh`)).text();

beforeEach(() => sandbox.control('DELETE', '/keys'));

async function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  return fetch(sandbox.baseUrl + path, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: new URLSearchParams(fields),
  });
}

/** A request with headers that fetch does not let one set. */
function rawRequest(method: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${sandbox.baseUrl}/settings/ssh`, { method, headers }, (reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    call.once('error', reject);
    call.end();
  });
}

describe('interface, SSH-JWT rule 2: registering at {base_url}/settings/ssh', () => {
  it.each(KEY_KINDS)('a %s key is registered by the form, answered by 303, and listed', async (kind) => {
    const key = makeKey(kind);
    const reply = await register(sandbox, key, `My ${kind} key`);
    expect(reply.status).toBe(303);
    expect(reply.headers.get('location')).toMatch(/^\/settings\/ssh/);
    expect(await page()).toContain(`My ${kind} key`);
  });

  it('the same key twice is one key', async () => {
    const key = makeKey('ed25519');
    await register(sandbox, key);
    await register(sandbox, key);
    expect((await sandbox.control<{ data: unknown[] }>('GET', '/keys')).data).toHaveLength(1);
  });

  it('a key is deleted by its form, answered by 303', async () => {
    await register(sandbox, makeKey('ed25519'), 'Old one');
    const id = /name="id" value="([^"]+)"/.exec(await page())?.[1] ?? '';
    const reply = await post('/settings/ssh/delete', { id });
    expect(reply.status).toBe(303);
    expect(await page()).not.toContain('Old one');
  });

  it('deleting a key that is not there is 404', async () => {
    expect((await post('/settings/ssh/delete', { id: '999' })).status).toBe(404);
  });

  it('last_accessed is shown per key: never, then when (docs/service.md, "SSH-JWT")', async () => {
    const key = makeKey('ed25519');
    await register(sandbox, key);
    expect(await page()).toContain('<span class="last_accessed">Never</span>');
    await fetch(`${sandbox.baseUrl}/api/v2/claims`, {
      headers: { authorization: `SSH-JWT ${signToken(key, claimsFor(sandbox.account.email))}` },
    });
    expect(await page()).toMatch(/<time class="last_accessed" datetime="\d{4}-/);
  });

  it('names are shown as text, never as markup', async () => {
    await register(sandbox, makeKey('ed25519'), '<script>alert(1)</script>"\'&');
    const html = await page();
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;');
  });
});

describe('issue: the page on loopback', () => {
  it('needs no login', async () => {
    expect((await fetch(`${sandbox.baseUrl}/settings/ssh`)).status).toBe(200);
  });

  it.each(['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://evil.example:443'])(
    'a foreign Origin (%s) is refused',
    async (origin) => {
      const reply = await post(
        '/settings/ssh',
        { name: 'x', public_key: makeKey('ed25519').publicLine },
        { origin },
      );
      expect(reply.status).toBe(403);
      expect(await reply.json()).toMatchObject({ error_code: 'origin_not_allowed' });
      expect((await sandbox.control<{ data: unknown[] }>('GET', '/keys')).data).toEqual([]);
    },
  );

  it('no Origin and its own Origin are fine', async () => {
    expect((await register(sandbox, makeKey('ed25519'))).status).toBe(303);
    const own = new URL(sandbox.baseUrl).origin;
    const reply = await post(
      '/settings/ssh',
      { name: 'x', public_key: makeKey('ed25519').publicLine },
      { origin: own },
    );
    expect(reply.status).toBe(303);
  });

  it('a foreign Origin may not delete', async () => {
    await register(sandbox, makeKey('ed25519'));
    const { data } = await sandbox.control<{ data: { id: string }[] }>('GET', '/keys');
    const reply = await post(
      '/settings/ssh/delete',
      { id: data[0]?.id ?? '' },
      { origin: 'http://evil.example' },
    );
    expect(reply.status).toBe(403);
    expect((await sandbox.control<{ data: unknown[] }>('GET', '/keys')).data).toHaveLength(1);
  });

  it('a name that points to loopback (another Host) is refused', async () => {
    expect(await rawRequest('GET', { host: 'evil.example' })).toBe(403);
    expect(await rawRequest('GET', { host: new URL(sandbox.baseUrl).host })).toBe(200);
  });
});

describe('issue: usable by keyboard and screen reader', () => {
  it('has a language, a title, one h1 and one main', async () => {
    const html = await page();
    expect(html).toContain('<html lang="en">');
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html.match(/<main>/g)).toHaveLength(1);
  });

  it('every visible field has a label', async () => {
    const html = await page();
    const ids = [...html.matchAll(/<(?:input|textarea) id="([^"]+)"/g)].map((match) => match[1]);
    expect(ids).toEqual(['name', 'public_key']);
    for (const id of ids) expect(html).toContain(`<label for="${id}">`);
  });

  it('every button says what it does, and which key it deletes', async () => {
    await register(sandbox, makeKey('ed25519'), 'Laptop');
    const html = await page();
    expect(html).toContain('aria-label="Delete key Laptop"');
    expect(html.match(/<button/g)).toHaveLength(2);
    expect(html).not.toContain('<script');
  });

  it('the list is a table with headers for columns and rows', async () => {
    await register(sandbox, makeKey('ed25519'), 'Laptop');
    const html = await page();
    expect(html.match(/<th scope="col">/g)?.length).toBe(6);
    expect(html).toContain('<th scope="row">Laptop</th>');
  });

  it('a refused key is reported in an alert, tied to its field, and what was typed stays', async () => {
    const reply = await post('/settings/ssh', { name: 'Mine', public_key: 'garbage <1>' });
    const html = await reply.text();
    expect(reply.status).toBe(422);
    expect(html).toContain('role="alert" id="form-error"');
    expect(html).toMatch(/aria-describedby="form-error public-key-help" aria-invalid="true"/);
    expect(html).toContain('value="Mine"');
    expect(html).toContain('garbage &lt;1&gt;');
    expect(html).toContain('<title>Error: SSH keys</title>');
  });

  it('success is reported in a status region', async () => {
    const reply = await fetch(`${sandbox.baseUrl}/settings/ssh?note=added`);
    expect(await reply.text()).toContain('<p class="note">The key is registered.</p>');
  });
});
