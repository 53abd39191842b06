import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

/** Every fuse of Electron by its name, and how a released Claimdesk has it. */
export const wantedFuses = {
  RunAsNode: false,
  EnableCookieEncryption: true,
  EnableNodeOptionsEnvironmentVariable: false,
  EnableNodeCliInspectArguments: false,
  EnableEmbeddedAsarIntegrityValidation: true,
  OnlyLoadAppFromAsar: true,
  LoadBrowserProcessSpecificV8Snapshot: false,
  GrantFileProtocolExtraPrivileges: false,
  WasmTrapHandlers: true,
};

/** The fuses as they are in a program, by name. Throws where one is not as wanted. */
export async function readFuses(path) {
  const wire = await getCurrentFuseWire(path);
  const found = Object.fromEntries(
    Object.keys(wantedFuses).map((name) => [name, wire[FuseV1Options[name]] === FuseState.ENABLE]),
  );
  const wrong = Object.keys(wantedFuses).filter((name) => found[name] !== wantedFuses[name]);
  if (wrong.length > 0) throw new Error(`These fuses of ${path} are not as wanted: ${wrong.join(', ')}.`);
  return found;
}

/** Flips all fuses of a packaged program and reads them back. A fuse that is new in Electron is an error. */
export async function flipAndReadFuses(path, options = {}) {
  await flipFuses(path, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    ...options,
    ...Object.fromEntries(Object.entries(wantedFuses).map(([name, isOn]) => [FuseV1Options[name], isOn])),
  });
  return readFuses(path);
}
