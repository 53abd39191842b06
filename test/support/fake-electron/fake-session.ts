import { EventEmitter } from 'node:events';
import type { Protocol, Session } from 'electron';
import type { UsedSession } from '../used-electron.ts';

type RequestListener = (
  details: Electron.OnBeforeRequestListenerDetails,
  answer: (response: Electron.CallbackResponse) => void,
) => void;

type Handler = (request: Request) => Response | Promise<Response>;

export class FakeProtocol implements Pick<Protocol, 'registerSchemesAsPrivileged' | 'handle'> {
  readonly registered: Electron.CustomScheme[] = [];
  readonly handlers = new Map<string, Handler>();
  registerSchemesAsPrivileged(schemes: Electron.CustomScheme[]): void {
    this.registered.push(...schemes);
  }
  handle(
    scheme: string,
    handler: (request: GlobalRequest) => GlobalResponse | Promise<GlobalResponse>,
  ): void {
    this.handlers.set(scheme, handler as Handler);
  }
  /** Requests an address as a page of this session does. */
  async ask(address: string, init?: RequestInit): Promise<Response> {
    const handler = this.handlers.get('app');
    if (handler === undefined) throw new Error('Nobody answers app:.');
    return handler(new Request(address, init));
  }
}

/** A session: tests can request what Chromium would request from the handlers that were set on it. */
export class FakeSession extends EventEmitter implements UsedSession {
  readonly protocol = new FakeProtocol();
  readonly partition: string;
  readonly options: Electron.FromPartitionOptions | undefined;
  beforeRequest: RequestListener | null = null;
  readonly webRequest: Pick<Session['webRequest'], 'onBeforeRequest'> = {
    onBeforeRequest: (...given: unknown[]) => {
      this.beforeRequest = given.at(-1) as RequestListener | null;
    },
  };
  isSpellChecked = true;
  requestHandler: Parameters<Session['setPermissionRequestHandler']>[0] = null;
  checkHandler: Parameters<Session['setPermissionCheckHandler']>[0] = null;
  deviceHandler: Parameters<Session['setDevicePermissionHandler']>[0] = null;

  constructor(partition: string, options?: Electron.FromPartitionOptions) {
    super();
    this.partition = partition;
    this.options = options;
  }
  setPermissionRequestHandler(handler: FakeSession['requestHandler']): void {
    this.requestHandler = handler;
  }
  setPermissionCheckHandler(handler: FakeSession['checkHandler']): void {
    this.checkHandler = handler;
  }
  setDevicePermissionHandler(handler: FakeSession['deviceHandler']): void {
    this.deviceHandler = handler;
  }
  setSpellCheckerEnabled(isEnabled: boolean): void {
    this.isSpellChecked = isEnabled;
  }
}

/** `session` of Electron. */
export class FakeSessions {
  readonly made: FakeSession[] = [];
  readonly defaultSession = new FakeSession('default');
  fromPartition(partition: string, options?: Electron.FromPartitionOptions): FakeSession {
    const made = new FakeSession(partition, options);
    this.made.push(made);
    return made;
  }
}
