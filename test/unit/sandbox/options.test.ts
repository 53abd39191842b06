import { describe, expect, it } from 'vitest';
import { parseOptions, UsageError } from '../../../src/sandbox/options.ts';

describe('parseOptions', () => {
  it('has defaults for everything', () => {
    expect(parseOptions([])).toEqual({
      port: 0,
      controlPort: 0,
      members: 2000,
      claims: 20_000,
      seed: 1,
      email: 'admin@sandbox.example',
      order: 'asc',
      today: 20_777,
      tls: 'off',
      corpus: 'hostile',
      truthFile: undefined,
      endWithStdin: false,
    });
  });

  it('reads what is given', () => {
    const argv =
      '--port 8080 --members 5 --claims 0 --seed 42 --order desc --tls expired --end-with-stdin --today 2026-01-02';
    expect(parseOptions(argv.split(' '))).toMatchObject({
      port: 8080,
      members: 5,
      claims: 0,
      seed: 42,
      order: 'desc',
      tls: 'expired',
      endWithStdin: true,
      today: 20_455,
    });
  });

  it.each([
    ['--colour red', 'colour'],
    ['--port 65536', '--port'],
    ['--members 0', '--members'],
    ['--claims 1e3', '--claims'],
    ['--claims=-1', '--claims'],
    ['--seed 4294967296', '--seed'],
    ['--order up', '--order'],
    ['--tls maybe', '--tls'],
    ['--email nobody', '--email'],
    ['--today 2026-02-30', '--today'],
    ['--port', 'port'],
    ['stray', 'stray'],
  ])('%s is wrong usage, in one line that names it', (argv, name) => {
    let said: unknown;
    try {
      parseOptions(argv.split(' '));
    } catch (error) {
      said = error;
    }
    expect(said).toBeInstanceOf(UsageError);
    expect((said as Error).message).toContain(name);
    expect((said as Error).message).not.toContain('\n');
  });
});
