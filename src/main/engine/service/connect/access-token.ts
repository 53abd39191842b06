/** The Connect access token of one integration: minted when it is wanted, rolled over by what replies bring. */
export interface AccessToken {
  /** What is held, without asking the service; waits for a renewal that is under way. */
  getHeld(): Promise<string | null>;
  /** What is held, or a new one; null where none can be minted. */
  get(): Promise<string | null>;
  /** A token in place of one that has expired; all who ask at once share one renewal. */
  renew(expired: string | null): Promise<string | null>;
  /** A reply brought a replacement (docs/service.md, "Connect calls"). */
  takeOver(token: string): void;
}

/** `mint` is null where no secret key is kept: then only what replies bring is used. */
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
      // Who cannot mint does without; who has to have one is told why by `get`.
      await renewing?.catch(() => undefined);
      return held;
    },
    get: async () => renewing ?? held ?? startRenewal(),
    // Another call may have renewed it while this one was under way.
    renew: async (expired) => renewing ?? (held !== expired && held !== null ? held : startRenewal()),
    takeOver(token) {
      if (renewing === null) held = token;
    },
  };
}
