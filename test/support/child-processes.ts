import { readdir, readFile } from 'node:fs/promises';

const partOf = { engine: /engine[/.](index\.)?[jt]s/, sandbox: /sandbox[/.](index\.)?[jt]s/ } as const;

/** The pids of a process's children that run this entry (on Linux). */
export async function listChildren(parent: number, entry: keyof typeof partOf): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [status, commandLine] = await Promise.all(
      ['status', 'cmdline'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    const isChild = new RegExp(`^PPid:\\t${parent}$`, 'm').test(status ?? '');
    if (isChild && partOf[entry].test(commandLine ?? '')) found.push(Number(name));
  }
  return found;
}
