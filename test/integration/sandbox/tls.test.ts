import { request } from 'node:https';
import { describe, expect, it } from 'vitest';
import { givenSandbox } from './given-sandbox.ts';

const sandbox = givenSandbox('--members', '5', '--claims', '5', '--tls', 'good');

function status(baseUrl: string, ca: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${baseUrl}/api/v2/claims`,
      { agent: false, ...(ca === undefined ? {} : { ca }) },
      (reply) => {
        reply.resume();
        resolve(reply.statusCode ?? 0);
      },
    );
    call.once('error', reject);
    call.end();
  });
}

describe('TLS', () => {
  it('--tls good: the base address is https and matches the authority in the first line', async () => {
    expect(sandbox.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(sandbox.caPem).toContain('BEGIN CERTIFICATE');
    expect(await status(sandbox.baseUrl, sandbox.caPem)).toBe(401);
    expect(await status(sandbox.baseUrl.replace('127.0.0.1', 'localhost'), sandbox.caPem)).toBe(401);
  });

  it('no one else trusts that authority', async () => {
    await expect(status(sandbox.baseUrl, undefined)).rejects.toMatchObject({
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
  });

  it.each([
    ['good', undefined],
    ['wrong-host', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['expired', 'CERT_HAS_EXPIRED'],
    ['unknown-authority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ])('a %s certificate at an address opened by control', async (mode, code) => {
    const { baseUrl, caPem } = await sandbox.control<{ baseUrl: string; caPem: string }>('POST', '/tls', {
      mode,
    });
    const reached = status(baseUrl, caPem);
    if (code === undefined) expect(await reached).toBe(401);
    else await expect(reached).rejects.toMatchObject({ code });
  });
});
