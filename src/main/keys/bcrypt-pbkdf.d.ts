declare module 'bcrypt-pbkdf' {
  /** Fills `out` with key material; 0 on success. */
  function pbkdf(
    passphrase: Uint8Array,
    passphraseBytes: number,
    salt: Uint8Array,
    saltBytes: number,
    out: Uint8Array,
    outBytes: number,
    rounds: number,
  ): number;
}
