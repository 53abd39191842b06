import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TlsMode } from '../../../../src/sandbox/options.ts';
import { createCertificateMaker } from '../../../../src/sandbox/tls/make-certificates.ts';

describe('certificates', async () => {
  const maker = await createCertificateMaker();
  const authority = new X509Certificate(maker.caPem);
  const issue = async (mode: TlsMode) => new X509Certificate((await maker.issue(mode)).cert);

  it('the authority is one, and signed itself', () => {
    expect(authority.ca).toBe(true);
    expect(authority.verify(authority.publicKey)).toBe(true);
  });

  it('good: for loopback, valid, signed by the authority', async () => {
    const cert = await issue('good');
    expect([cert.ca, cert.checkIP('127.0.0.1'), cert.checkHost('localhost')]).toEqual([
      false,
      '127.0.0.1',
      'localhost',
    ]);
    expect(cert.checkIssued(authority) && cert.verify(authority.publicKey)).toBe(true);
    expect(Date.parse(cert.validTo)).toBeGreaterThan(Date.now());
  });

  it('each bad one is wrong in exactly one respect', async () => {
    const judge = (cert: X509Certificate) => ({
      host: cert.checkIP('127.0.0.1') !== undefined,
      time: Date.parse(cert.validFrom) < Date.now() && Date.now() < Date.parse(cert.validTo),
      signed: cert.verify(authority.publicKey),
    });
    expect(judge(await issue('wrong-host'))).toEqual({ host: false, time: true, signed: true });
    expect(judge(await issue('expired'))).toEqual({ host: true, time: false, signed: true });
    expect(judge(await issue('unknown-authority'))).toEqual({ host: true, time: true, signed: false });
  });
});
