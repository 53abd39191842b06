import { createHash } from 'node:crypto';
import type { Output } from '../../../contract/procedures.ts';
import type { StoredConnection, StoredConsent } from './connect-file.ts';
import { emailKey } from './find-stored.ts';
import { findMember } from './members.ts';
import type { WorkspaceConnect } from './workspace-connect.ts';

const hashOf = (terms: string): string => createHash('sha256').update(terms).digest('hex');

/** Reads the terms that the member agrees to: untrusted HTML. Stores their hash as the one that was shown. */
export async function readTerms(connect: WorkspaceConnect, email: string): Promise<string> {
  const terms = await fetchTerms(connect, email);
  connect.shownTerms.set(emailKey(email), hashOf(terms));
  return terms;
}

async function fetchTerms(connect: WorkspaceConnect, email: string): Promise<string> {
  const { api } = await connect.integration.open();
  return (await api.readTerms((await findMember(connect, email)).email)).data;
}

/** The consent for a submitted login; null if the terms can't be read. */
export async function keepConsent(
  connect: WorkspaceConnect,
  email: string,
  tenantIds: readonly number[],
): Promise<StoredConsent | null> {
  try {
    // A command has shown the terms in another process.
    const termsHash = connect.shownTerms.get(emailKey(email)) ?? hashOf(await fetchTerms(connect, email));
    return { termsHash, tenantIds: [...tenantIds] };
  } catch {
    return null;
  }
}

/** The consents of a connection's last login, if the terms are unchanged and the member's tenant is among them. */
export async function consentsThatHold(
  connect: WorkspaceConnect,
  { email, consent }: StoredConnection,
): Promise<Output<'connect:beginCorrection'>['consents']> {
  if (consent === null) return null;
  try {
    const { tenant } = await findMember(connect, email);
    if (!consent.tenantIds.includes(tenant.id)) return null;
    const termsHash = hashOf(await fetchTerms(connect, email));
    if (termsHash !== consent.termsHash) return null;
    connect.shownTerms.set(emailKey(email), termsHash);
    return { terms: true, tenantIds: consent.tenantIds };
  } catch {
    return null;
  }
}
