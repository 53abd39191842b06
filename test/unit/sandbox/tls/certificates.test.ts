import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CertificateMaker } from '../../../../src/sandbox/tls/certificates.ts';
import { element, integer, objectId } from '../../../../src/sandbox/tls/der.ts';

describe('DER', () => {
  it('writes object identifiers as in the textbook (1.2.840.113549)', () => {
    expect(objectId('1.2.840.113549').toString('hex')).toBe('06062a864886f70d');
  });

  it.each([
    [[0], '020100'],
    [[0x7f], '02017f'],
    [[0x80], '02020080'],
    [[0, 0, 1], '020101'],
  ])('writes the integer %j as %s', (bytes, hex) => {
    expect(integer(Buffer.from(bytes)).toString('hex')).toBe(hex);
  });

  it.each([
    [127, '047f'],
    [128, '048180'],
    [300, '0482012c'],
    [70_000, '0483011170'],
  ])('writes the length %i as %s', (length, hex) => {
    expect(
      element(4, Buffer.alloc(length))
        .subarray(0, hex.length / 2)
        .toString('hex'),
    ).toBe(hex);
  });
});

describe('certificates', () => {
  const maker = new CertificateMaker();
  const authority = new X509Certificate(maker.caPem);
  const issue = (mode: Parameters<CertificateMaker['issue']>[0]) =>
    new X509Certificate(maker.issue(mode).cert);

  it('the authority is one, and signed itself', () => {
    expect(authority.ca).toBe(true);
    expect(authority.verify(authority.publicKey)).toBe(true);
  });

  it('good: for loopback, in force, signed by the authority', () => {
    const cert = issue('good');
    expect([cert.ca, cert.checkIP('127.0.0.1'), cert.checkHost('localhost')]).toEqual([
      false,
      '127.0.0.1',
      'localhost',
    ]);
    expect(cert.checkIssued(authority) && cert.verify(authority.publicKey)).toBe(true);
    expect(Date.parse(cert.validTo)).toBeGreaterThan(Date.now());
  });

  it('each bad one is wrong in exactly one respect', () => {
    const judge = (cert: X509Certificate) => ({
      host: cert.checkIP('127.0.0.1') !== undefined,
      time: Date.parse(cert.validFrom) < Date.now() && Date.now() < Date.parse(cert.validTo),
      signed: cert.verify(authority.publicKey),
    });
    expect(judge(issue('wrong-host'))).toEqual({ host: false, time: true, signed: true });
    expect(judge(issue('expired'))).toEqual({ host: true, time: false, signed: true });
    expect(judge(issue('unknown-authority'))).toEqual({ host: true, time: true, signed: false });
  });
});
