/** The part of saxen that is used; the package has no types. */
declare module 'saxen' {
  type Decode = (text: string) => string;
  export class Parser {
    on(
      event: 'openTag',
      listen: (name: string, attributes: () => Record<string, string>, decode: Decode) => void,
    ): this;
    on(event: 'closeTag', listen: (name: string) => void): this;
    on(event: 'text', listen: (text: string, decode: Decode) => void): this;
    on(event: 'cdata', listen: (text: string) => void): this;
    on(event: 'error' | 'warn', listen: (error: Error) => void): this;
    parse(xml: string): this;
  }
}
