/** The first parameter of a function: the input that is sent to a thread to call it. */
export type InputOf<F> = F extends (input: infer I) => unknown ? I : never;
/** The result of a function; a call through a thread returns a promise of it. */
export type OutputOf<F> = F extends (input: never) => infer O ? O : never;
