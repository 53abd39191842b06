import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** How to start a script on an older Node: the system's where it is one, else this one with another version. */
export function olderNode(): [command: string, ...args: string[]] {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .map((path) => join(path, 'node'))
    .find((path) => existsSync(path) && /^v(1\d|2[0-3])\./.test(versionOf(path)));
  if (found !== undefined) return [found];
  const pretend = `Object.defineProperty(process, 'version', { value: 'v20.19.0' });`;
  return [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
}

const versionOf = (path: string): string => spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout;
