import type { Import } from './module-graph.ts';

/** A room of the house: what lies in it, and what it may import (other rooms, packages). Unlisted is an error. */
export interface Room {
  readonly name: string;
  readonly holds: RegExp;
  readonly rooms: readonly string[];
  readonly packages: readonly string[];
}

const node = 'node:';

const storeSections = [
  'threads',
  'user-data',
  'maintenance',
  'query',
  'sync',
  'record',
  'file',
  'user-data-migrations',
  'migrations',
];
const store = storeSections.map((section) => `store/${section}`);

/** In order; a module belongs to the first room that holds it. Each room may import itself. */
export const rooms: readonly Room[] = [
  { name: 'contract', holds: /^src\/contract\//, rooms: [], packages: ['zod'] },
  { name: 'preload', holds: /^src\/preload\//, rooms: ['contract'], packages: ['electron'] },
  {
    name: 'sandbox',
    holds: /^src\/sandbox\//,
    rooms: ['contract'],
    packages: [node, 'fastify', '@fastify/formbody', 'jose', 'sshpk', 'zod'],
  },

  { name: 'lib', holds: /^src\/main\/lib\//, rooms: ['contract'], packages: [node, 'zod'] },
  {
    name: 'keychain',
    holds: /^src\/main\/keychain\//,
    rooms: ['contract', 'lib'],
    packages: [node, 'zod', 'keytar'],
  },
  {
    name: 'keys',
    holds: /^src\/main\/keys\//,
    rooms: ['contract', 'lib', 'keychain'],
    packages: [node, 'zod', 'sshpk', 'bcrypt-pbkdf', 'hash-wasm', '@noble/ciphers'],
  },
  {
    name: 'auth',
    holds: /^src\/main\/auth\//,
    rooms: ['contract', 'lib', 'keychain', 'keys'],
    packages: [node, 'zod', 'jose'],
  },
  {
    name: 'workspaces',
    holds: /^src\/main\/workspaces\//,
    rooms: ['contract', 'lib', 'keychain', 'keys'],
    packages: [node, 'zod'],
  },
  {
    name: 'lock',
    holds: /^src\/main\/lock\//,
    rooms: ['contract', 'lib', 'keychain', 'keys'],
    packages: [node, 'zod'],
  },
  {
    name: 'ipc',
    holds: /^src\/main\/ipc\//,
    rooms: ['contract', 'lib', 'keychain', 'keys', 'auth', 'workspaces', 'lock'],
    packages: [node, 'zod'],
  },
  {
    name: 'desk',
    holds: /^src\/main\/desk\.ts$/,
    rooms: ['contract', 'lib', 'keychain', 'keys', 'auth', 'workspaces', 'lock', 'ipc'],
    packages: [node, 'zod'],
  },

  {
    name: 'electron-transport',
    holds: /^src\/main\/engine\/service\/electron-transport\.ts$/,
    rooms: ['contract', 'lib', 'service'],
    packages: [node, 'electron'],
  },
  {
    name: 'service',
    holds: /^src\/main\/engine\/service\//,
    rooms: ['contract', 'lib', 'keychain'],
    packages: [node, 'zod', 'undici', 'eventsource-parser'],
  },
  // The store's sections, top down: each may import only those after it.
  ...storeSections.map((section, index) => ({
    name: `store/${section}`,
    holds: new RegExp(`^src/main/engine/store/${section}/`),
    rooms: [
      'contract',
      'lib',
      'keychain',
      ...storeSections.slice(index + 1).map((below) => `store/${below}`),
    ],
    packages: [node, 'zod', ...(section === 'file' ? ['better-sqlite3-multiple-ciphers'] : [])],
  })),
  ...['sync', 'review', 'export', 'connect', 'audit'].map((name) => ({
    name,
    holds: new RegExp(`^src/main/engine/${name}/`),
    rooms: ['contract', 'lib', 'keychain', 'service', ...store],
    packages: [node, 'zod'],
  })),
  {
    name: 'doctor',
    holds: /^src\/main\/engine\/doctor\//,
    rooms: ['contract', 'lib', 'keychain', 'service'],
    packages: [node, 'zod'],
  },
  {
    name: 'engine-ports',
    holds: /^src\/main\/engine\/engine-ports\.ts$/,
    rooms: ['contract', 'lib', 'keychain', 'service'],
    packages: [],
  },
  {
    name: 'engine-ipc',
    holds: /^src\/main\/engine\/ipc\//,
    rooms: [
      'contract',
      'lib',
      'keychain',
      'service',
      ...store,
      'sync',
      'review',
      'export',
      'connect',
      'audit',
      'engine-ports',
    ],
    packages: [node, 'zod'],
  },
  {
    name: 'engine',
    holds: /^src\/main\/engine\/engine\.ts$/,
    rooms: [
      'contract',
      'lib',
      'keychain',
      'service',
      ...store,
      'sync',
      'review',
      'export',
      'connect',
      'audit',
      'doctor',
      'engine-ipc',
      'engine-ports',
    ],
    packages: [node, 'zod'],
  },
  {
    // The engine's process: its entry, the link to its parent, and what puts them together.
    name: 'engine-entry',
    holds: /^src\/main\/engine\/(index|run-engine|parent-link)\.ts$/,
    rooms: [
      'contract',
      'lib',
      'keychain',
      'service',
      'electron-transport',
      'engine-ipc',
      'engine-ports',
      'engine',
    ],
    packages: [node, 'zod'],
  },

  {
    // What the shells share: where the app's files lie, the page's policy and files, the engine's handle, sizes.
    name: 'shell-shared',
    holds: /^src\/main\/shells\/([^/]+\.ts$|page\/)/,
    rooms: ['contract', 'lib', 'ipc', 'desk'],
    packages: [node, 'zod'],
  },
  {
    name: 'shell-electron',
    holds: /^src\/main\/shells\/electron\//,
    rooms: ['contract', 'lib', 'ipc', 'desk', 'shell-shared'],
    packages: [node, 'zod', 'electron'],
  },
  {
    name: 'shell-browser',
    holds: /^src\/main\/shells\/browser\//,
    rooms: ['contract', 'lib', 'ipc', 'desk', 'shell-shared'],
    packages: [node, 'zod', 'open'],
  },
  {
    name: 'shell-cli',
    holds: /^src\/main\/shells\/cli\//,
    // One-shot commands run the engine in their own process, so this shell builds it.
    rooms: [
      'contract',
      'lib',
      'keychain',
      'keys',
      'workspaces',
      'lock',
      'ipc',
      'desk',
      'service',
      'engine',
      'engine-ports',
      'shell-shared',
      'scripts',
    ],
    packages: [node, 'zod'],
  },
  {
    name: 'entry',
    holds: /^src\/main\/index\.ts$/,
    rooms: ['contract', 'lib', 'desk', 'shell-electron'],
    packages: [node, 'electron'],
  },

  { name: 'renderer-lib', holds: /^src\/renderer\/lib\//, rooms: ['contract'], packages: ['*'] },
  {
    name: 'renderer-components',
    holds: /^src\/renderer\/components\//,
    rooms: ['contract', 'renderer-lib'],
    packages: ['*'],
  },
  {
    // What several screens share of one domain: lists, claims, keys …
    name: 'renderer-domain',
    holds: /^src\/renderer\/domain\//,
    rooms: ['contract', 'renderer-lib', 'renderer-components'],
    packages: ['*'],
  },
  {
    name: 'renderer-features',
    holds: /^src\/renderer\/features\//,
    rooms: ['contract', 'renderer-lib', 'renderer-components', 'renderer-domain'],
    packages: ['*'],
  },
  {
    name: 'renderer-app',
    holds: /^src\/renderer\/(app\/|main\.tsx$)/,
    rooms: ['contract', 'renderer-lib', 'renderer-components', 'renderer-domain', 'renderer-features'],
    packages: ['*'],
  },
  { name: 'scripts', holds: /^scripts\//, rooms: [], packages: [node] },
];

/** Packages that no module of the renderer may import, whatever else it takes. */
const neverInRenderer = [
  node,
  'electron',
  'keytar',
  'sshpk',
  'jose',
  'better-sqlite3-multiple-ciphers',
  'undici',
  'fastify',
  'computed',
];

const roomOf = (path: string): Room | undefined => rooms.find((room) => room.holds.test(path));
const featureOf = (path: string): string | undefined => /^src\/renderer\/features\/([^/]+)/.exec(path)?.[1];

/** What is wrong with one import; null where nothing is. */
export function judgeImport({ from, to }: Import): string | null {
  const room = roomOf(from);
  if (room === undefined) return `${from} lies in no room`;
  const isLocal =
    to.startsWith('src/') || to.startsWith('scripts/') || to.includes('/src/') || to.startsWith('..');
  if (!isLocal && !to.includes('.css') && !/^(test|out)\//.test(to)) {
    const isAllowed = room.packages.includes('*')
      ? !neverInRenderer.includes(to)
      : room.packages.includes(to);
    return isAllowed ? null : `${from} imports ${to}`;
  }
  if (/\.(css|svg|json)$/.test(to)) return null;
  const target = roomOf(to);
  if (target === undefined) return `${from} imports ${to}, which lies in no room`;
  if (target === room) {
    const isOtherFeature = featureOf(from) !== featureOf(to);
    return isOtherFeature ? `${from} imports another feature: ${to}` : null;
  }
  return room.rooms.includes(target.name) ? null : `${from} (${room.name}) imports ${to} (${target.name})`;
}
