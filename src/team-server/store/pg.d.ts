/** The part of `pg` that the server uses. */
declare module 'pg' {
  import type { EventEmitter } from 'node:events';

  interface Settings {
    readonly connectionString: string;
    readonly max?: number;
    readonly connectionTimeoutMillis?: number;
    readonly query_timeout?: number;
    readonly lock_timeout?: number;
    readonly application_name?: string;
  }
  interface Queryable extends EventEmitter {
    query<T extends object>(text: string, values?: readonly unknown[]): Promise<{ rows: T[] }>;
  }
  interface PoolClient extends Queryable {
    release(error?: Error | boolean): void;
  }
  class Pool extends EventEmitter {
    constructor(settings: Settings);
    connect(): Promise<PoolClient>;
    query: Queryable['query'];
    end(): Promise<void>;
  }
  class Client extends EventEmitter {
    constructor(settings: Settings);
    connect(): Promise<void>;
    query: Queryable['query'];
    end(): Promise<void>;
  }
  const types: { setTypeParser(oid: number, parse: (text: string) => unknown): void };
}
