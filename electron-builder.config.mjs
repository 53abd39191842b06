import { flipAndReadFuses } from './scripts/electron-fuses.mjs';

/** Where updates lie; whoever distributes Claimdesk names it. Without it no update is ever looked for. */
const updateUrl = process.env.CLAIMDESK_UPDATE_URL ?? '';
if (updateUrl !== '' && !updateUrl.startsWith('https://'))
  throw new Error('CLAIMDESK_UPDATE_URL has to begin with https://.');

/** Whether a certificate is given (docs/installers.md). Then a package that can't be signed is none. */
export const isSigned = ['CSC_LINK', 'CSC_NAME', 'WIN_CSC_LINK'].some(
  (name) => (process.env[name] ?? '') !== '',
);

/** Another version than that of package.json, to try an upgrade. */
const version = process.env.CLAIMDESK_PACKAGE_VERSION ?? '';

const afterRemove = 'packaging/after-remove.tpl';

/** What electron-builder makes, for `npm run package`. */
const config = {
  appId: 'com.claimdesk.app',
  productName: 'Claimdesk',
  copyright: 'MIT License',
  forceCodeSigning: isSigned,
  extraMetadata: version === '' ? {} : { version },
  // What is in `packaging`, icon and entitlements, is found there by its name.
  directories: { output: 'dist', buildResources: 'packaging' },
  files: [
    'out/main/**',
    'out/preload/**',
    'out/renderer/**',
    'package.json',
    '!**/.*',
    '!**/*.map',
    '!**/*.{test,spec}.{js,cjs,mjs}',
    '!**/*.{ts,mts,cts,tsx}',
    '!**/node_modules/**/{test,tests,__tests__,bench,benchmark,benchmarks,example,examples}/**',
    '!**/node_modules/node-{linux,win}-*/**',
    '!**/node_modules/better-sqlite3-multiple-ciphers/{deps,src,build}/**',
    '!**/node_modules/@github/keytar/{src,build}/**',
    '!**/node_modules/keytar/{src,build}/**',
    // Of the fonts, the scripts and weights of statements; of the PDF library, what Node loads.
    '!**/node_modules/@fontsource/*/*.{css,scss}',
    '!**/node_modules/@fontsource/*/scss/**',
    '!**/node_modules/@fontsource/*/files/*.woff2',
    '!**/node_modules/@fontsource/*/files/*-italic.woff',
    '!**/node_modules/@fontsource/*/files/*-{100,200,300,500,700,800,900}-normal.woff',
    '!**/node_modules/@fontsource/noto-sans-{sc,kr}/files/*-600-normal.woff',
    '!**/node_modules/@fontsource/noto-sans/files/noto-sans-devanagari-*',
    '!**/node_modules/pdfkit/js/pdfkit.{browser,standalone,old}*',
    '!**/node_modules/pdfkit/{.yarn,tools,types}/**',
    '!**/node_modules/fontkit/src/**',
    '!**/node_modules/fontkit/dist/browser*',
  ],
  extraResources: [{ from: 'dist/legal', to: 'legal' }],
  asar: true,
  // The system loads these from a file of their own; all else is under the archive's integrity.
  asarUnpack: ['**/*.node'],
  // Both native modules bring a build for each system that holds in any version of Node.
  npmRebuild: false,
  publish: updateUrl === '' ? null : { provider: 'generic', url: updateUrl },
  win: { target: ['nsis', 'msi'].map((target) => ({ target, arch: ['x64'] })) },
  // For the account that runs it; profiles stay when it is removed.
  nsis: { oneClick: true, perMachine: false, allowElevation: false, deleteAppDataOnUninstall: false },
  msi: {
    // For all accounts, by a program of IT, which wants no window at the end.
    perMachine: true,
    runAfterFinish: false,
    // Windows knows by it that another version is the same program; it never changes.
    upgradeCode: 'EBD9C660-0E73-443C-B6F6-1B8588D44F1C',
  },
  mac: {
    // A zip is what an update is read from.
    target: ['dmg', 'pkg', 'zip'].map((target) => ({ target, arch: ['x64', 'arm64'] })),
    category: 'public.app-category.business',
    hardenedRuntime: true,
    // Named as well: without these files the packager would allow unsigned code and foreign libraries.
    entitlements: 'packaging/entitlements.mac.plist',
    entitlementsInherit: 'packaging/entitlements.mac.inherit.plist',
    gatekeeperAssess: false,
  },
  // In the folder for programs only, and over the version that is there, wherever else a copy lies.
  pkg: { isRelocatable: false, allowAnywhere: false, allowCurrentUserHome: false },
  linux: {
    target: ['AppImage', 'deb', 'rpm'],
    synopsis: 'Desktop administration for benefits admins',
    category: 'Office',
    maintainer: 'Claimdesk <packages@claimdesk.invalid>',
  },
  deb: { afterRemove },
  rpm: {
    afterRemove,
    // Without it the folder stays, empty, when the package is removed.
    fpm: ['--directories', '/opt/Claimdesk'],
    // What the packager needs by itself, and the keychain's library, which it names for Debian only.
    depends: [
      'gtk3',
      'libnotify',
      'nss',
      'libXScrnSaver',
      '(libXtst or libXtst6)',
      'xdg-utils',
      'at-spi2-core',
      '(libuuid or libuuid1)',
      '(libsecret or libsecret-1-0)',
    ],
  },
  /** Before signing, which seals them. */
  async afterPack({ appOutDir, electronPlatformName, arch, packager }) {
    const names = {
      darwin: `${packager.appInfo.productFilename}.app`,
      win32: `${packager.appInfo.productFilename}.exe`,
      linux: packager.executableName,
    };
    // 3 is arm64: there an executable that was changed does not start unsigned.
    const isMacArm = electronPlatformName === 'darwin' && arch === 3;
    await flipAndReadFuses(`${appOutDir}/${names[electronPlatformName]}`, {
      resetAdHocDarwinSignature: isMacArm,
    });
  },
};

export default config;
