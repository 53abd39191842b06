import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCircles } from './find-circles.ts';
import { judgeImport, layers } from './import-rules.ts';
import { readModuleGraph } from './module-graph.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const graph = readModuleGraph(root, 'src');

describe('the directions of imports', () => {
  it('reads the modules it judges', () => {
    expect(graph.modules.length).toBeGreaterThan(100);
    expect(graph.imports.length).toBeGreaterThan(graph.modules.length);
    for (const name of [
      'contract',
      'lib',
      'keychain',
      'keys',
      'auth',
      'ipc',
      'store/threads',
      'store/file',
      'service',
      'sync',
      'shell-cli',
    ]) {
      const { holds } = layers.find((layer) => layer.name === name) as (typeof layers)[number];
      expect(
        graph.modules.some((path) => holds.test(path)),
        `modules in ${name}`,
      ).toBe(true);
    }
  });

  it('finds no import that the house does not allow', () => {
    expect(graph.imports.map(judgeImport).filter((wrong) => wrong !== null)).toEqual([]);
  });

  it('finds no schemas of procedures in the window and the preload, which have a table instead', () => {
    const importing = graph.imports.filter(
      ({ from, to }) => to === 'src/contract/procedures.ts' && /^src\/(renderer|preload)\//.test(from),
    );
    expect(importing.length).toBeGreaterThan(2);
    const isWhole = (path: string) =>
      /^import (?!type ).*procedures\.ts'/m.test(readFileSync(`${root}/${path}`, 'utf8'));
    expect(importing.filter(({ from }) => isWhole(from))).toEqual([]);
    expect(isWhole('src/contract/answered-by.ts')).toBe(true);
  });

  it('finds no circle, of types either', () => {
    expect(findCircles(graph.imports)).toEqual([]);
  });

  it('finds a planted circle', () => {
    const circle = [
      { from: 'src/a.ts', to: 'src/b.ts' },
      { from: 'src/b.ts', to: 'src/c.ts' },
      { from: 'src/c.ts', to: 'src/a.ts' },
    ];
    const others = [
      { from: 'src/d.ts', to: 'src/a.ts' },
      { from: 'src/c.ts', to: 'src/e.ts' },
    ];
    expect(findCircles([...circle, ...others])).toEqual([['src/a.ts', 'src/b.ts', 'src/c.ts']]);
    expect(findCircles([...circle.slice(1), ...others])).toEqual([]);
  });

  it('finds no default export', () => {
    expect(graph.defaultExports).toEqual([]);
  });

  it.each([
    ['the contract reaches for Node', 'src/rules/query.ts', 'node:'],
    ['the contract knows main', 'src/rules/query.ts', 'src/main/lib/errors.ts'],
    ['the preload knows main', 'src/preload/index.ts', 'src/main/desk.ts'],
    ['the renderer reaches for Node', 'src/renderer/lib/enter-window.ts', 'node:'],
    ['the renderer knows main', 'src/renderer/lib/enter-window.ts', 'src/main/lib/errors.ts'],
    ['a component knows a domain', 'src/renderer/components/page.tsx', 'src/renderer/domain/list/a.tsx'],
    ['a domain knows a feature', 'src/renderer/domain/list/a.tsx', 'src/renderer/features/sync/a.tsx'],
    ['a component knows a feature', 'src/renderer/components/page.tsx', 'src/renderer/features/sync/a.tsx'],
    ['a feature knows another', 'src/renderer/features/sync/a.tsx', 'src/renderer/features/claims/b.tsx'],
    [
      'the renderer lib knows a component',
      'src/renderer/lib/enter-window.ts',
      'src/renderer/components/page.tsx',
    ],
    ['main knows the sandbox', 'src/main/lib/sample-service.ts', 'src/sandbox/index.ts'],
    ['the sandbox knows main', 'src/sandbox/index.ts', 'src/main/lib/errors.ts'],
    ['a layer of main imports the engine', 'src/main/keys/key-handlers.ts', 'src/main/engine/engine.ts'],
    ['the engine knows the keys', 'src/main/engine/service/data-api.ts', 'src/main/keys/key-ring.ts'],
    [
      'the store knows the sync',
      'src/main/engine/store/threads/store.ts',
      'src/main/engine/sync/run-sync.ts',
    ],
    [
      'the store knows the service',
      'src/main/engine/store/threads/store.ts',
      'src/main/engine/service/transport.ts',
    ],
    ['another layer imports keytar', 'src/main/keys/key-ring.ts', 'keytar'],
    ['another layer imports sshpk', 'src/main/auth/token-signer.ts', 'sshpk'],
    ['another layer imports jose', 'src/main/keys/key-ring.ts', 'jose'],
    [
      'another file of the team server imports SQLite',
      'src/team-server/teams.ts',
      'better-sqlite3-multiple-ciphers',
    ],
    ['another file of the team server imports PostgreSQL', 'src/team-server/store/team-store.ts', 'pg'],
    ['main knows the team server', 'src/main/desk.ts', 'src/team-server/server.ts'],
    ['the team server knows main', 'src/team-server/index.ts', 'src/main/lib/errors.ts'],
    ['another layer imports SQLite', 'src/main/engine/sync/run-sync.ts', 'better-sqlite3-multiple-ciphers'],
    ['a second check of forms', 'src/renderer/features/connect/a.ts', '@cfworker/json-schema'],
    ['a carrier’s form knows the contract', 'src/carrier-form/json.ts', 'src/rules/query.ts'],
    ['electron outside its shell', 'src/main/desk.ts', 'electron'],
    ['electron in another transport', 'src/main/engine/service/undici-transport.ts', 'electron'],
    ['lib knows the keychain', 'src/main/lib/errors.ts', 'src/main/keychain/secret-store.ts'],
    ['a shell knows another', 'src/main/shells/browser/host.ts', 'src/main/shells/cli/output.ts'],
    ['a computed import', 'src/main/keys/key-handlers.ts', 'computed'],
    ['a module outside every layer', 'src/main/stray.ts', 'zod'],
  ])('refuses a planted violation: %s', (_name, from, to) => {
    expect(judgeImport({ from, to })).not.toBeNull();
  });
});
