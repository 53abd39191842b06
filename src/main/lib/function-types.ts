/** The first parameter of a function: what a thread is sent to call it. */
export type InputOf<F> = F extends (input: infer I) => unknown ? I : never;
/** What a function returns, before a thread makes a promise of it. */
export type OutputOf<F> = F extends (input: never) => infer O ? O : never;
