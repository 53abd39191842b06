import { FuseState, FuseV1Options, FuseVersion, flipFuses, getCurrentFuseWire } from '@electron/fuses';

/** Every fuse of Electron by its name, with its value in a released Claimdesk. */
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

/** Reads the fuses of a program, by name. Throws where one does not have the wanted value. */
export async function readFuses(path) {
  const wire = await getCurrentFuseWire(path);
  const found = Object.fromEntries(
    Object.keys(wantedFuses).map((name) => [name, wire[FuseV1Options[name]] === FuseState.ENABLE]),
  );
  const wrong = Object.keys(wantedFuses).filter((name) => found[name] !== wantedFuses[name]);
  if (wrong.length > 0) throw new Error(`These fuses of ${path} are not as wanted: ${wrong.join(', ')}.`);
  return found;
}

/** Sets all fuses of a packaged program and reads them back. A fuse that is missing in `wantedFuses` is an error. */
export async function flipAndReadFuses(path, options = {}) {
  await flipFuses(path, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    ...options,
    ...Object.fromEntries(Object.entries(wantedFuses).map(([name, isOn]) => [FuseV1Options[name], isOn])),
  });
  return readFuses(path);
}
