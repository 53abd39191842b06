import { generate } from 'selfsigned';
import type { TlsMode } from '../options.ts';

export type TlsIdentity = { readonly key: string; readonly cert: string };

const DAY_MS = 86_400_000;
const EC = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

/**
 * Makes a certificate authority for the lifetime of the sandbox, and a function that issues server certificates signed
 * by it: valid ones, and ones with exactly one fault. Keys and certificates are PEM. Nothing here protects anything.
 */
export async function createCertificateMaker() {
  const authority = await makeAuthority('Claimdesk Sandbox Authority');
  return {
    /** The authority that a client should trust. For `unknown-authority` another one signed. */
    caPem: authority.cert,
    /** A key and the certificate for a server on loopback. */
    async issue(mode: TlsMode): Promise<TlsIdentity> {
      const ca =
        mode === 'unknown-authority' ? await makeAuthority('Nobody Knows This Authority') : authority;
      const now = Date.now();
      const { private: key, cert } = await generate([{ name: 'commonName', value: 'sandbox' }], {
        ...EC,
        ca,
        notBeforeDate: new Date(now - 30 * DAY_MS),
        notAfterDate: new Date(mode === 'expired' ? now - DAY_MS : now + 30 * DAY_MS),
        extensions: [
          { name: 'basicConstraints', cA: false, critical: true },
          { name: 'keyUsage', digitalSignature: true, critical: true },
          { name: 'extKeyUsage', serverAuth: true },
          {
            name: 'subjectAltName',
            altNames:
              mode === 'wrong-host'
                ? [{ type: 2, value: 'other-host.example' }]
                : [
                    { type: 2, value: 'localhost' },
                    { type: 7, ip: '127.0.0.1' },
                  ],
          },
        ],
      });
      return { key, cert };
    },
  };
}

async function makeAuthority(name: string): Promise<TlsIdentity> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    ...EC,
    notBeforeDate: new Date(Date.now() - 60 * DAY_MS),
    notAfterDate: new Date(Date.now() + 365 * DAY_MS),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { key, cert };
}
