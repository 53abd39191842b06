/** What the test does in a person's place. */
export type Command =
  | { readonly kind: 'saveTo'; readonly path: string }
  | { readonly kind: 'menu'; readonly label: string }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'quit' };

/** What the stand-in tells the test. */
export type Told =
  | { readonly kind: 'chromium'; readonly endpoint: string }
  | { readonly kind: 'errorBox'; readonly text: string }
  | { readonly kind: 'opened'; readonly url: string };
