import { fileURLToPath } from 'node:url';
import { type MessagePortMain, type Session, utilityProcess } from 'electron';
import type { ChannelMessage } from '../../lib/channel.ts';
import { childEnvironment } from '../../lib/child-environment.ts';
import { findEntry } from '../../lib/entries.ts';
import type { EngineProcess } from '../connect-engine.ts';

export interface UtilityEngine extends EngineProcess {
  handWindow(port: MessagePortMain): void;
}

/**
 * Starts the engine in a utility process. Its requests go through the session given: in memory, without cookies and
 * cache. Requests of proxies for a password and of servers for client certificates are denied by main.
 */
export function startUtilityEngine(session: Session): UtilityEngine {
  const child = utilityProcess.fork(fileURLToPath(findEntry('engine')), [], {
    serviceName: 'Claimdesk Engine',
    session,
    env: childEnvironment(process.env),
    execArgv: [],
    stdio: 'inherit',
    respondToAuthRequestsFromMainProcess: true,
  });
  return {
    pipe: {
      post: (message) => child.postMessage(message),
      onMessage: (listener) =>
        void child.on('message', (message: unknown) => listener(message as ChannelMessage)),
    },
    onEnded: (listener) => void child.once('exit', listener),
    kill() {
      // The engine ignores the SIGTERM of `kill()`, after which Electron kills only seconds later. No pid: it has
      // ended.
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
      child.kill();
    },
    handWindow: (port) => child.postMessage(null, [port]),
  };
}
