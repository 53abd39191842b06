import { describe, expect, it } from 'vitest';
import { TokenMint } from '../../../../src/sandbox/connect/connect.ts';

const NOW = 1_790_000_000_000;

describe('TokenMint', () => {
  it('reads what it minted until its time is over, to the second', async () => {
    const mint = new TokenMint();
    const token = await mint.mint('access', 'pk', NOW);
    expect(await mint.read('access', token, NOW + 3_599_999)).toMatchObject({
      verdict: 'good',
      subject: 'pk',
    });
    expect(await mint.read('access', token, NOW + 3_600_000)).toMatchObject({
      verdict: 'expired',
      subject: 'pk',
    });
    const task = await mint.mint('task', 'id', NOW);
    expect((await mint.read('task', task, NOW + 600_000)).verdict).toBe('expired');
  });

  it('accepts no token of the other kind, of another mint, or of no one', async () => {
    const mint = new TokenMint();
    const task = await mint.mint('task', 'id', NOW);
    const foreign = await new TokenMint().mint('access', 'pk', NOW);
    for (const token of [task, foreign, '', 'a.b.c'])
      expect(await mint.read('access', token, NOW)).toEqual({ verdict: 'bad' });
  });

  it('expires all of a kind at once, and counts what it minted', async () => {
    const mint = new TokenMint();
    const [access, task] = [await mint.mint('access', 'pk', NOW), await mint.mint('task', 'id', NOW)];
    mint.expireAll('access');
    expect((await mint.read('access', access, NOW)).verdict).toBe('expired');
    expect((await mint.read('task', task, NOW)).verdict).toBe('good');
    expect((await mint.read('access', await mint.mint('access', 'pk', NOW), NOW)).verdict).toBe('good');
    expect(mint.counts).toEqual({ access: 2, task: 1 });
  });
});
