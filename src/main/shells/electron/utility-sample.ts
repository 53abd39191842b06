import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { utilityProcess } from 'electron';
import { childEnvironment } from '../../lib/child-environment.ts';
import type { LaunchSample } from '../../lib/sample-process.ts';

/** Starts the sample service in a utility process: a released Electron cannot run as Node (`runAsNode` is off). */
export const launchSampleProcess: LaunchSample = (entry, args) => {
  const child = utilityProcess.fork(fileURLToPath(entry), [...args], {
    serviceName: 'Claimdesk Sample Service',
    env: childEnvironment(process.env),
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
  });
  return {
    stdout: new Readable({ read: () => undefined }).wrap(child.stdout ?? Readable.from([])),
    onEnded(listener) {
      if (hasEnded) listener();
      else child.once('exit', listener);
    },
    send: (message) => child.postMessage(message),
    end: () => void child.kill(),
    kill: () => void child.kill(),
  };
};
