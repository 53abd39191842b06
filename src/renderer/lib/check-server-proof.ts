const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );

/**
 * Whether the server at `origin` knows the token of this window, without revealing it: for a browser, another program
 * that takes over the port of a shell or an engine has the same origin. False also where nothing answers.
 */
export async function isProvenServer(
  origin: string,
  windowToken: string,
  fetchFrom: typeof fetch,
): Promise<boolean> {
  const challenge = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  const [windowId = ''] = windowToken.split('.');
  try {
    const reply = await fetchFrom(`${origin}/prove?window=${windowId}&challenge=${challenge}`);
    if (!reply.ok) return false;
    const { proof } = (await reply.json()) as { proof?: unknown };
    if (typeof proof !== 'string') return false;
    const encoder = new TextEncoder();
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', encoder.encode(windowToken), algorithm, false, [
      'verify',
    ]);
    const signed = encoder.encode(`${origin}\n${challenge}`);
    return await crypto.subtle.verify('HMAC', key, fromBase64Url(proof), signed);
  } catch {
    return false;
  }
}
