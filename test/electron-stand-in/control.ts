/** The commands by which the test acts in the user's place. */
export type Command =
  | { readonly kind: 'saveTo'; readonly path: string }
  /** How questions outside the page are answered from now on; at first with no. */
  | { readonly kind: 'answer'; readonly isYes: boolean }
  | { readonly kind: 'menu'; readonly label: string }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'quit' };

/** The messages that the stand-in sends to the test. */
export type Told =
  | { readonly kind: 'chromium'; readonly endpoint: string }
  | { readonly kind: 'errorBox'; readonly text: string }
  | { readonly kind: 'asked'; readonly message: string }
  | { readonly kind: 'opened'; readonly url: string };
