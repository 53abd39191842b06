/** The Connect access token of one integration: minted when needed, replaced by tokens in replies. */
export interface AccessToken {
  /** The current token, without a request to the service; waits for a renewal in progress. */
  getHeld(): Promise<string | null>;
  /** The current token, or a new one; null where none can be minted. */
  get(): Promise<string | null>;
  /** A token to replace an expired one; concurrent calls share one renewal. */
  renew(expired: string | null): Promise<string | null>;
  /** Called when a reply contained a new token (docs/service.md, "Connect calls"). */
  takeOver(token: string): void;
}

/** `mint` is null where no secret key is stored: then only tokens from replies are used. */
export function createAccessToken(mint: (() => Promise<string>) | null): AccessToken {
  let held: string | null = null;
  let renewing: Promise<string> | null = null;

  const startRenewal = (): Promise<string | null> => {
    if (mint === null) {
      held = null;
      return Promise.resolve(null);
    }
    renewing ??= mint()
      .then((token) => {
        held = token;
        return token;
      })
      .finally(() => {
        renewing = null;
      });
    return renewing;
  };

  return {
    async getHeld() {
      // This call works without a token; `get` rejects for calls that do not.
      await renewing?.catch(() => undefined);
      return held;
    },
    get: async () => renewing ?? held ?? startRenewal(),
    // Another call may have renewed it in between.
    renew: async (expired) => renewing ?? (held !== expired && held !== null ? held : startRenewal()),
    takeOver(token) {
      if (renewing === null) held = token;
    },
  };
}
