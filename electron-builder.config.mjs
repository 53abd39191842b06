import { flipAndReadFuses } from './scripts/electron-fuses.mjs';

/** Where updates lie; whoever distributes Claimdesk names it. Without it no update is ever looked for. */
const updateUrl = process.env.CLAIMDESK_UPDATE_URL ?? '';
if (updateUrl !== '' && !updateUrl.startsWith('https://'))
  throw new Error('CLAIMDESK_UPDATE_URL has to begin with https://.');

/** What electron-builder makes, for `npm run package`. Signing needs certificates: see docs/security.md. */
const config = {
  appId: 'com.claimdesk.app',
  productName: 'Claimdesk',
  copyright: 'MIT License',
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
  win: { target: [{ target: 'nsis', arch: ['x64'] }] },
  nsis: { oneClick: true, perMachine: false, allowElevation: false },
  mac: {
    target: [
      { target: 'dmg', arch: ['x64', 'arm64'] },
      { target: 'zip', arch: ['x64', 'arm64'] },
    ],
    category: 'public.app-category.business',
    hardenedRuntime: true,
    // Named as well: without these files the packager would allow unsigned code and foreign libraries.
    entitlements: 'packaging/entitlements.mac.plist',
    entitlementsInherit: 'packaging/entitlements.mac.inherit.plist',
    gatekeeperAssess: false,
  },
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Office',
    maintainer: 'Claimdesk <packages@claimdesk.invalid>',
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
