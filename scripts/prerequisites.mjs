import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

const has = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

/** A python3 that can import what the interop programs need; the system's own is tried first. */
function findPython() {
  for (const python of ['/usr/bin/python3', 'python3']) {
    const probe = spawnSync(python, ['-c', 'import requests, jwt, cryptography'], { stdio: 'ignore' });
    if (probe.status === 0) return python;
  }
  return null;
}

const fontFolders = ['/usr/share/fonts', '/usr/local/share/fonts'];

/**
 * Whether there is a font with this language's letters. Without fontconfig, it is judged by the names of font files.
 */
function hasFontsFor(language, filePattern) {
  if (has('fc-list'))
    return spawnSync('fc-list', [`:lang=${language}`], { encoding: 'utf8' }).stdout.trim() !== '';
  return fontFolders
    .filter((folder) => existsSync(folder))
    .some((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).some((path) => filePattern.test(path)),
    );
}

const hasLibrary = (name) =>
  ['/usr/lib', '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib64'].some((folder) =>
    existsSync(`${folder}/${name}`),
  );

/** Debian keeps each version of its programs in a folder of its own. */
const hasPostgres = () => {
  const versions = '/usr/lib/postgresql';
  return (
    existsSync(versions) && readdirSync(versions).some((one) => existsSync(`${versions}/${one}/bin/initdb`))
  );
};

/**
 * The tests' needs from the system: how to check for each, and the Debian packages that contain it. It is the one list of
 * them: `node scripts/prerequisites.mjs`, which needs nothing installed, prints the packages that are missing.
 */
const needs = [
  {
    what: 'dbus-run-session and dbus-send',
    isThere: () => has('dbus-run-session') && has('dbus-send'),
    packages: ['dbus', 'dbus-bin'],
  },
  { what: 'gnome-keyring-daemon', isThere: () => has('gnome-keyring-daemon'), packages: ['gnome-keyring'] },
  { what: 'libsecret', isThere: () => hasLibrary('libsecret-1.so.0'), packages: ['libsecret-1-0'] },
  { what: 'ssh-keygen', isThere: () => has('ssh-keygen'), packages: ['openssh-client'] },
  { what: 'openssl', isThere: () => has('openssl'), packages: ['openssl'] },
  {
    what: 'PostgreSQL',
    isThere: () => hasPostgres(),
    packages: ['postgresql'],
  },
  { what: 'puttygen', isThere: () => has('puttygen'), packages: ['putty-tools'] },
  {
    what: 'python3 with requests, jwt and cryptography',
    isThere: () => findPython() !== null,
    packages: ['python3', 'python3-requests', 'python3-jwt', 'python3-cryptography'],
  },
  {
    what: 'Chromium',
    isThere: () => existsSync(process.env.CLAIMDESK_CHROMIUM ?? '/usr/bin/chromium'),
    packages: ['chromium'],
  },
  {
    what: 'sqlite3 and unzip',
    isThere: () => has('sqlite3') && has('unzip'),
    packages: ['sqlite3', 'unzip'],
  },
  {
    what: 'rsyslog with TLS',
    isThere: () => existsSync('/usr/sbin/rsyslogd') && hasLibrary('rsyslog/lmnsd_gtls.so'),
    packages: ['rsyslog', 'rsyslog-gnutls'],
  },
  { what: 'pdftotext', isThere: () => has('pdftotext'), packages: ['poppler-utils'] },
  {
    what: 'fonts',
    isThere: () => hasFontsFor('en', /\.(ttf|otf|ttc)$/i),
    packages: ['fonts-dejavu-core', 'fonts-noto-core'],
  },
  {
    // Names in the sample have such letters; without a font, pictures show boxes instead.
    what: 'fonts for Chinese and Japanese',
    isThere: () =>
      ['zh-cn', 'ja'].every((language) => hasFontsFor(language, /cjk|han|goth|mincho|[._-](sc|jp)[._-]/i)),
    packages: ['fonts-noto-cjk'],
  },
];

const isDebian = () => {
  try {
    return /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
};

const listMissing = () => needs.filter((need) => !need.isThere());
const packagesOf = (missing) => missing.flatMap((need) => need.packages);

/**
 * Makes sure that everything the tests need is installed. On Debian as root it installs what is missing; elsewhere it
 * prints a message and returns false, so that no test has to be skipped.
 */
export function ensurePrerequisites() {
  let missing = listMissing();
  if (missing.length === 0) return true;
  const packages = packagesOf(missing);
  if (isDebian() && process.getuid?.() === 0) {
    process.stderr.write(`Installing ${packages.join(' ')}\n`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    try {
      execFileSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'], env });
      execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env,
      });
    } catch {
      process.stderr.write('apt-get could not install them.\n');
    }
    missing = listMissing();
  }
  if (missing.length === 0) return true;
  process.stderr.write(
    `The tests need what this system lacks: ${missing.map((need) => need.what).join('; ')}.\n` +
      `On Debian or Ubuntu: apt-get install ${packagesOf(missing).join(' ')}\n`,
  );
  return false;
}

if (process.argv[1] === import.meta.filename)
  process.stdout.write(`${packagesOf(listMissing()).join(' ')}\n`);
