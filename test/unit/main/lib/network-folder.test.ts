import { expect, test } from 'vitest';
import { findFileSystem, isInNetworkFolder, isServerPath } from '../../../../src/main/lib/find-notices.ts';

const mounts = [
  '21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw',
  '22 21 0:40 / /home rw,relatime shared:2 master:1 - nfs4 files:/home rw,vers=4.2',
  '23 22 0:41 / /home/ada/local\\040disk rw - ext4 /dev/sdb1 rw',
  '24 21 0:42 / /mnt/share rw - cifs //files/share rw',
  '25 24 8:3 / /mnt/share rw - ext4 /dev/sdc1 rw',
].join('\n');

test.each([
  ['/root/.config/Claimdesk', 'ext4'],
  ['/home', 'nfs4'],
  ['/home/ada/.config/Claimdesk', 'nfs4'],
  ['/homework/x', 'ext4'],
  ['/home/ada/local disk/profile', 'ext4'],
  ['/mnt/share/profile', 'ext4'],
])('%s is on %s', (path, type) => {
  expect(findFileSystem(mounts, path)).toBe(type);
});

test('an empty answer is not a file system', () => {
  expect(findFileSystem('', '/home')).toBeNull();
  expect(findFileSystem('nonsense\n1 2 3', '/home')).toBeNull();
});

test.each([
  ['\\\\files\\home\\ada', true],
  ['//files/home/ada', true],
  ['\\\\?\\UNC\\files\\home', true],
  ['C:\\Users\\ada', false],
  ['\\\\?\\C:\\Users\\ada', false],
  ['\\\\.\\pipe\\x', false],
  ['\\Users', false],
])('%s names a server: %s', async (path, isServer) => {
  expect(isServerPath(path)).toBe(isServer);
  expect(await isInNetworkFolder(path, 'win32')).toBe(isServer);
});

test('memory and kernel files are on this computer, even below folders that do not exist yet', async () => {
  expect(await isInNetworkFolder('/proc/self', 'linux')).toBe(false);
  expect(await isInNetworkFolder('/dev/shm/none/none', 'linux')).toBe(false);
});
