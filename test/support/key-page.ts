import { createHash } from 'node:crypto';

/** Posts a form of the service's page for SSH keys, as a user does; throws where the page refuses it. */
async function post(url: string, form: Record<string, string>): Promise<void> {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  await reply.body?.cancel();
  if (reply.status !== 303) throw new Error(`${url} answered ${reply.status}.`);
}

export async function readKeyPage(baseUrl: string): Promise<string> {
  return (await fetch(`${baseUrl}/settings/ssh`)).text();
}

export function registerKeyAt(baseUrl: string, publicKey: string): Promise<void> {
  return post(`${baseUrl}/settings/ssh`, { name: 'A key', public_key: publicKey });
}

/** Deletes a key; does nothing where the page does not have it. */
export async function deleteKeyAt(baseUrl: string, publicKey: string): Promise<void> {
  const digest = createHash('sha256').update(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'));
  const fingerprint = `SHA256:${digest.digest('base64').replace(/=+$/, '')}`;
  const row = (await readKeyPage(baseUrl)).split('<tr>').find((text) => text.includes(fingerprint));
  const id = /name="id" value="(\d+)"/.exec(row ?? '')?.[1];
  if (id !== undefined) await post(`${baseUrl}/settings/ssh/delete`, { id });
}
