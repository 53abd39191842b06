import { randomBytes, randomUUID } from 'node:crypto';
import { decodeJwt, errors, jwtVerify, SignJWT } from 'jose';

export type TokenKind = 'access' | 'task';

export type ReadToken =
  | { readonly verdict: 'good' | 'expired'; readonly id: string; readonly subject: string }
  | { readonly verdict: 'bad' };

/** docs/service.md, "Limits": one hour. The task token's ten minutes: docs/service.md, "Event stream". */
export const TOKEN_SECONDS: Readonly<Record<TokenKind, number>> = { access: 3600, task: 600 };

/** Signs and reads the service's own short-lived tokens, by the server's clock. */
export class TokenMint {
  private readonly secret = randomBytes(32);
  /**
   * Number of the current generation of each kind. Tokens of an earlier one count as expired, so that a test can expire
   * all tokens of a kind at once.
   */
  private readonly generations: Record<TokenKind, number> = { access: 0, task: 0 };
  private readonly minted: Record<TokenKind, number> = { access: 0, task: 0 };

  /** @param subject what the token identifies: a public Connect token, a task */
  async mint(kind: TokenKind, subject: string, nowMs: number): Promise<string> {
    this.minted[kind] += 1;
    const now = Math.floor(nowMs / 1000);
    return new SignJWT({ generation: this.generations[kind] })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setAudience(kind)
      .setSubject(subject)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + TOKEN_SECONDS[kind])
      .sign(this.secret);
  }

  async read(kind: TokenKind, token: string, nowMs: number): Promise<ReadToken> {
    try {
      const { payload } = await jwtVerify(token, this.secret, {
        audience: kind,
        algorithms: ['HS256'],
        currentDate: new Date(nowMs),
      });
      const verdict = payload.generation === this.generations[kind] ? 'good' : 'expired';
      return { verdict, id: String(payload.jti), subject: String(payload.sub) };
    } catch (error) {
      if (!(error instanceof errors.JWTExpired)) return { verdict: 'bad' };
      const { jti, sub } = decodeJwt(token);
      return { verdict: 'expired', id: String(jti), subject: String(sub) };
    }
  }

  expireAll(kind: TokenKind): void {
    this.generations[kind] += 1;
  }

  get counts(): Readonly<Record<TokenKind, number>> {
    return this.minted;
  }
}
