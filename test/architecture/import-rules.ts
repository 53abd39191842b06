import type { Import } from './module-graph.ts';

/** A layer: the modules in it, and the layers and packages that they may import. Anything unlisted is an error. */
export interface Layer {
  readonly name: string;
  readonly holds: RegExp;
  readonly layers: readonly string[];
  readonly packages: readonly string[];
}

const node = 'node:';

const storeSections = [
  'threads',
  'backup',
  'user-data',
  'maintenance',
  'worklists',
  'query',
  'sync',
  'record',
  'file',
  'user-data-migrations',
  'migrations',
];
const store = storeSections.map((section) => `store/${section}`);

/** The layers in order: a module belongs to the first one that matches. Each layer may import itself. */
export const layers: readonly Layer[] = [
  { name: 'rules', holds: /^src\/rules\//, layers: [], packages: ['zod'] },
  { name: 'contract', holds: /^src\/contract\//, layers: ['rules'], packages: ['zod'] },
  {
    // A carrier's login form, for the engine that reads it, and the window and the command line that fill it in.
    name: 'carrier-form',
    holds: /^src\/carrier-form\//,
    layers: [],
    packages: ['@cfworker/json-schema', 're2js'],
  },
  {
    // The entries that a team's computers exchange, through its server or a file.
    name: 'team-protocol',
    holds: /^src\/team-protocol\//,
    layers: [],
    packages: [node, 'zod'],
  },
  // The one place besides the store that imports SQLite, and the only one that imports PostgreSQL's client.
  {
    name: 'team-server/sqlite',
    holds: /^src\/team-server\/store\/sqlite-database\.ts$/,
    layers: ['team-server'],
    packages: [node, 'better-sqlite3-multiple-ciphers'],
  },
  {
    name: 'team-server/postgres',
    holds: /^src\/team-server\/store\/(postgres-database|pg\.d)\.ts$/,
    layers: ['team-server'],
    packages: [node, 'pg'],
  },
  {
    name: 'team-server',
    holds: /^src\/team-server\//,
    layers: ['team-protocol', 'team-server/sqlite', 'team-server/postgres'],
    packages: [node, 'zod', 'fastify', 'jose'],
  },
  { name: 'preload', holds: /^src\/preload\//, layers: ['contract'], packages: ['electron'] },
  {
    name: 'sandbox',
    holds: /^src\/sandbox\//,
    // The simulated colleague is a member of a team.
    layers: ['contract', 'team-protocol'],
    packages: [node, 'fastify', 'selfsigned', '@fastify/formbody', 'jose', 'sshpk', 'zod'],
  },

  { name: 'lib', holds: /^src\/main\/lib\//, layers: ['contract', 'team-protocol'], packages: [node, 'zod'] },
  {
    // The handlers of main lie with their domain, and use what the desk's handlers share.
    name: 'desk-handlers',
    holds: /^src\/main\/((rotation|doctor|sample)\/|(keys|workspaces|lock)\/[^/]+-handlers\.ts$)/,
    layers: ['contract', 'lib', 'keychain', 'keys', 'auth', 'workspaces', 'lock', 'desk-parts'],
    packages: [node, 'zod'],
  },
  {
    name: 'keychain',
    holds: /^src\/main\/keychain\//,
    layers: ['contract', 'team-protocol', 'lib'],
    packages: [node, 'zod', 'keytar'],
  },
  {
    name: 'keys',
    holds: /^src\/main\/keys\//,
    layers: ['contract', 'team-protocol', 'lib', 'keychain'],
    packages: [node, 'zod', 'sshpk', 'bcrypt-pbkdf', 'hash-wasm', '@noble/ciphers'],
  },
  {
    name: 'auth',
    holds: /^src\/main\/auth\//,
    layers: ['contract', 'lib', 'keychain', 'keys'],
    packages: [node, 'zod', 'jose'],
  },
  {
    name: 'workspaces',
    holds: /^src\/main\/workspaces\//,
    layers: ['contract', 'lib', 'keychain', 'keys'],
    packages: [node, 'zod'],
  },
  {
    // Keys of a computer, and certificates of people for them.
    name: 'team',
    holds: /^src\/main\/team\//,
    layers: ['contract', 'team-protocol', 'lib', 'keychain', 'keys'],
    packages: [node, 'zod'],
  },
  {
    name: 'lock',
    holds: /^src\/main\/lock\//,
    layers: ['contract', 'lib', 'keychain', 'keys'],
    packages: [node, 'zod'],
  },
  {
    name: 'ipc',
    holds: /^src\/main\/ipc\//,
    layers: ['contract', 'lib'],
    packages: [node, 'zod'],
  },
  {
    // The parts that main's handlers share: state, spaces, the engine's handle, what the engine asks of main.
    name: 'desk-parts',
    holds: /^src\/main\/desk\//,
    layers: ['contract', 'lib', 'keychain', 'keys', 'auth', 'workspaces', 'team', 'lock'],
    packages: [node, 'zod'],
  },
  {
    name: 'desk',
    holds: /^src\/main\/desk\.ts$/,
    layers: [
      'contract',
      'lib',
      'keychain',
      'keys',
      'auth',
      'workspaces',
      'lock',
      'desk-parts',
      'desk-handlers',
      'ipc',
    ],
    packages: [node, 'zod'],
  },

  {
    // The handlers of the engine lie with their domain, and use its state, open lists, and other domains.
    name: 'engine-handlers',
    holds:
      /^src\/main\/engine\/(lists\/|(audit|connect|export|review|store|sync|team)\/([^/]+-handlers|open-connect)\.ts$)/,
    layers: [
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
      'engine-team',
      'team-protocol',
      'engine-ports',
      'engine-state',
      'engine-ipc',
    ],
    packages: [node, 'zod'],
  },
  {
    name: 'electron-transport',
    holds: /^src\/main\/engine\/service\/electron-transport\.ts$/,
    layers: ['contract', 'lib', 'service'],
    packages: [node, 'electron'],
  },
  {
    name: 'service',
    holds: /^src\/main\/engine\/service\//,
    layers: ['contract', 'lib', 'keychain'],
    packages: [node, 'zod', 'undici', 'eventsource-parser'],
  },
  // The store's sections, top down: each may import only those after it.
  ...storeSections.map((section, index) => ({
    name: `store/${section}`,
    holds: new RegExp(`^src/main/engine/store/${section}/`),
    layers: [
      'contract',
      'lib',
      'keychain',
      ...storeSections.slice(index + 1).map((below) => `store/${below}`),
    ],
    packages: [node, 'zod', ...(section === 'file' ? ['better-sqlite3-multiple-ciphers'] : [])],
  })),
  {
    // Reads files that come in: payments and results. Nothing else imports the packages that read them.
    name: 'incoming',
    holds: /^src\/main\/engine\/incoming\//,
    layers: ['contract', 'lib'],
    packages: [node, 'csv-parse', 'fflate', 'saxen'],
  },
  ...['sync', 'review', 'export', 'connect', 'audit'].map((name) => ({
    name,
    holds: new RegExp(`^src/main/engine/${name}/`),
    layers: [
      'contract',
      'lib',
      'keychain',
      'service',
      ...store,
      ...(name === 'connect' ? ['carrier-form'] : []),
      ...(name === 'review' ? ['team-protocol', 'incoming'] : []),
      // A statement has the review as the claim's page shows it.
      ...(name === 'export' ? ['review'] : []),
    ],
    packages: [node, 'zod', ...(name === 'export' ? ['yazl', 'pdfkit', 'fontkit'] : [])],
  })),
  {
    // The log of a team: reading it, sending to it, and its members.
    name: 'engine-team',
    holds: /^src\/main\/engine\/team\//,
    layers: ['contract', 'team-protocol', 'lib', 'keychain', 'service', ...store, 'review'],
    packages: [node, 'zod'],
  },
  {
    name: 'doctor',
    holds: /^src\/main\/engine\/doctor\//,
    layers: ['contract', 'lib', 'keychain', 'service'],
    packages: [node, 'zod'],
  },
  {
    name: 'engine-ports',
    holds: /^src\/main\/engine\/engine-ports\.ts$/,
    layers: ['contract', 'lib', 'keychain', 'service'],
    packages: [],
  },
  {
    // The open files of workspaces, the clients of services, the audit log.
    name: 'engine-state',
    holds: /^src\/main\/engine\/state\//,
    layers: ['contract', 'lib', 'keychain', 'service', ...store, 'audit', 'engine-ports'],
    packages: [node, 'zod'],
  },
  {
    name: 'engine-ipc',
    holds: /^src\/main\/engine\/ipc\//,
    layers: ['contract', 'lib', 'engine-ports'],
    packages: [node, 'zod'],
  },
  {
    name: 'engine',
    holds: /^src\/main\/engine\/engine\.ts$/,
    layers: [
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
      'engine-team',
      'engine-state',
      'engine-handlers',
      'engine-ipc',
      'engine-ports',
    ],
    packages: [node, 'zod'],
  },
  {
    // The engine's process: its entry, the link to its parent, and what puts them together. It has threads load
    // their code before anything is asked of them.
    name: 'engine-entry',
    holds: /^src\/main\/engine\/(index|run-engine|parent-link)\.ts$/,
    layers: [
      'contract',
      'lib',
      'keychain',
      'service',
      'store/threads',
      'electron-transport',
      'engine-ipc',
      'engine-ports',
      'engine',
    ],
    packages: [node, 'zod'],
  },

  {
    // The parts that the shells share: app file paths, the page's policy and files, the engine handle, sizes.
    name: 'shell-shared',
    holds: /^src\/main\/shells\/([^/]+\.ts$|page\/)/,
    layers: ['contract', 'lib', 'desk-parts', 'desk'],
    packages: [node, 'zod'],
  },
  {
    name: 'shell-electron',
    holds: /^src\/main\/shells\/electron\//,
    layers: ['contract', 'lib', 'desk-parts', 'desk', 'shell-shared'],
    packages: [node, 'zod', 'electron', 'electron-updater'],
  },
  {
    name: 'shell-browser',
    holds: /^src\/main\/shells\/browser\//,
    layers: ['contract', 'lib', 'desk-parts', 'desk', 'shell-shared'],
    packages: [node, 'zod', 'open'],
  },
  {
    name: 'shell-cli',
    holds: /^src\/main\/shells\/cli\//,
    // One-shot commands run the engine in their own process, so this shell builds it.
    layers: [
      'contract',
      'carrier-form',
      'lib',
      'keychain',
      'keys',
      'workspaces',
      'lock',
      'desk-parts',
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
    layers: ['contract', 'lib', 'desk', 'shell-electron'],
    packages: [node, 'electron'],
  },

  { name: 'renderer-lib', holds: /^src\/renderer\/lib\//, layers: ['contract'], packages: ['*'] },
  {
    name: 'renderer-components',
    holds: /^src\/renderer\/components\//,
    layers: ['contract', 'renderer-lib'],
    packages: ['*'],
  },
  {
    // The parts that several screens share of one domain: lists, claims, keys …
    name: 'renderer-domain',
    holds: /^src\/renderer\/domain\//,
    layers: ['contract', 'renderer-lib', 'renderer-components'],
    packages: ['*'],
  },
  {
    name: 'renderer-features',
    holds: /^src\/renderer\/features\//,
    layers: ['contract', 'carrier-form', 'renderer-lib', 'renderer-components', 'renderer-domain'],
    packages: ['*'],
  },
  {
    name: 'renderer-app',
    holds: /^src\/renderer\/(app\/|main\.tsx$)/,
    layers: ['contract', 'renderer-lib', 'renderer-components', 'renderer-domain', 'renderer-features'],
    packages: ['*'],
  },
  { name: 'scripts', holds: /^scripts\//, layers: [], packages: [node] },
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
  'pg',
  '@cfworker/json-schema',
  're2js',
  'csv-parse',
  'fflate',
  'saxen',
  'computed',
];

const layerOf = (path: string): Layer | undefined => layers.find((layer) => layer.holds.test(path));
const featureOf = (path: string): string | undefined => /^src\/renderer\/features\/([^/]+)/.exec(path)?.[1];

/** Returns what is wrong with one import; null: nothing. */
export function judgeImport({ from, to }: Import): string | null {
  const layer = layerOf(from);
  if (layer === undefined) return `${from} is in no layer`;
  const isLocal =
    to.startsWith('src/') || to.startsWith('scripts/') || to.includes('/src/') || to.startsWith('..');
  if (!isLocal && !to.includes('.css') && !/^(test|out)\//.test(to)) {
    const isAllowed = layer.packages.includes('*')
      ? !neverInRenderer.includes(to)
      : layer.packages.includes(to);
    return isAllowed ? null : `${from} imports ${to}`;
  }
  if (/\.(css|svg|json)$/.test(to)) return null;
  const target = layerOf(to);
  if (target === undefined) return `${from} imports ${to}, which is in no layer`;
  if (target === layer) {
    const isOtherFeature = featureOf(from) !== featureOf(to);
    return isOtherFeature ? `${from} imports another feature: ${to}` : null;
  }
  // A layer that may import the contract may import the rules of claims.
  const mayImport =
    layer.layers.includes(target.name) || (target.name === 'rules' && layer.layers.includes('contract'));
  return mayImport ? null : `${from} (${layer.name}) imports ${to} (${target.name})`;
}
