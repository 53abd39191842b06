import { readFile, realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Notice } from '../../contract/notices.ts';
import { asksForUnverifiedTls } from './tls-setting.ts';

/** Linux names of file systems whose files other computers can change. */
const networkTypes: ReadonlySet<string> = new Set([
  ...[
    'nfs',
    'nfs4',
    'cifs',
    'smb3',
    'smbfs',
    'ncpfs',
    '9p',
    'afs',
    'ceph',
    'lustre',
    'gpfs',
    'beegfs',
    'davfs',
  ],
  ...['fuse.sshfs', 'fuse.davfs2', 'fuse.glusterfs', 'fuse.rclone', 'fuse.gvfsd-fuse', 'fuse.ceph'],
]);

/**
 * Whether a folder, which need not exist yet, is one that other computers can write to: on Linux by its file system,
 * on Windows by a path that begins with a server's name. Not detected on macOS, nor for a drive letter that is mapped
 * to a server.
 */
export async function isInNetworkFolder(
  path: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  if (platform === 'win32') return isServerPath(path);
  if (platform !== 'linux') return false;
  const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
  const type = findFileSystem(mounts, await realAncestor(resolve(path)));
  return type !== null && networkTypes.has(type);
}

/** Pure: whether a Windows path begins with the name of a server, in the short or the long form. */
export function isServerPath(path: string): boolean {
  const text = path.replaceAll('/', '\\');
  return /^\\\\\?\\UNC\\/i.test(text) || /^\\\\[^\\?.]/.test(text);
}

/** Pure: the file system that a path lies on, by the text of `/proc/self/mountinfo`: proc(5). */
export function findFileSystem(mountinfo: string, path: string): string | null {
  let nearest: { point: string; type: string } | null = null;
  for (const line of mountinfo.split('\n')) {
    const [head = '', tail = ''] = line.split(' - ');
    const point = (head.split(' ')[4] ?? '').replaceAll(/\\([0-7]{3})/g, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 8)),
    );
    const type = tail.split(' ')[0] ?? '';
    const isAbove = point === '/' || path === point || path.startsWith(`${point}/`);
    // The later one of two file systems mounted at one place is in effect.
    if (type !== '' && point !== '' && isAbove && point.length >= (nearest?.point.length ?? 0))
      nearest = { point, type };
  }
  return nearest?.type ?? null;
}

/** A folder with links resolved, or the deepest one above it that exists. */
export async function realAncestor(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const real = await realpath(at).catch(() => null);
    if (real !== null || at === dirname(at)) return real ?? at;
  }
}

/** Notices about this computer that people should see. Never rejects. */
export const findNotices = async (facts: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly profileDir: string;
  readonly isPolicyFileIgnored?: boolean;
}): Promise<Notice[]> => [
  ...(facts.isPolicyFileIgnored === true ? (['policyIgnored'] as const) : []),
  ...(asksForUnverifiedTls(facts.environment) ? (['tlsSettingIgnored'] as const) : []),
  ...((await isInNetworkFolder(facts.profileDir)) ? (['networkFolder'] as const) : []),
];
