import type { KeyObject } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { DeskError } from '../lib/errors.ts';
import { isTokenUsable, planTokenTimes } from './token-times.ts';

const lifetimeSeconds = 240;
/** How far the time of a token may be from this computer's clock: a server must not collect tokens of other years. */
const maxOffsetSeconds = 86_400;

interface TeamTokenRequest {
  readonly workspaceId: string;
  /** The origin of the team's server, which accepts no token for another server. */
  readonly server: string;
  /** The server's clock minus this computer's. */
  readonly offsetSeconds: number;
  /** Reads the computer's ID and its Ed25519 key; called only when a new token is signed. */
  readonly openKey: () => Promise<{ readonly computer: string; readonly signing: KeyObject }>;
}

export interface TeamTokenSigner {
  /** A token for calls of a team's server. @throws DeskError `team.clockDiffers` for a server more than a day off */
  getToken(request: TeamTokenRequest): Promise<string>;
  /** Drops the tokens in memory. */
  forget(): void;
}

/**
 * Makes the signer of tokens for team servers: `sub` is the computer, `aud` the server, four minutes, reused until 60 s
 * before its end. An SSH key never signs them: SSH-JWTs name no server, so a team's server could use them with the
 * claims service.
 */
export function createTeamTokenSigner(clock: Clock): TeamTokenSigner {
  const held = new Map<string, Parameters<typeof isTokenUsable>[0] & { readonly token: string }>();
  let generation = 0;
  return {
    async getToken({ workspaceId, server, offsetSeconds, openKey }) {
      if (Math.abs(offsetSeconds) > maxOffsetSeconds) throw new DeskError('team.clockDiffers');
      // Read before the first `await`: what is signed while `forget` is called is not kept.
      const startedIn = generation;
      const slot = `${workspaceId}\n${server}`;
      const existing = held.get(slot);
      if (existing !== undefined && isTokenUsable(existing, clock.now(), offsetSeconds))
        return existing.token;
      const { computer, signing } = await openKey();
      const times = planTokenTimes(clock.now(), offsetSeconds, lifetimeSeconds);
      const { SignJWT } = await import('jose');
      const token = await new SignJWT({
        sub: computer,
        aud: server,
        iat: times.issuedAt,
        exp: times.expiresAt,
      })
        .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
        .sign(signing);
      if (startedIn === generation) held.set(slot, { ...times, offsetSeconds, token });
      return token;
    },
    forget() {
      generation += 1;
      held.clear();
    },
  };
}
