import { screen, waitFor } from '@testing-library/dom';
import { describe, expect, test, vi } from 'vitest';
import type { AppInfo } from '../../../../../src/contract/app-info.ts';
import type { Settings } from '../../../../../src/contract/settings.ts';
import { type Answers, failed, press, renderScreen, workspace } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

testStates('/settings/data', 'store:getState', ['the files', 'Couldn’t load the files'], {
  filled: { records: { isThere: true, bytes: 7 } },
  others: { 'workspaces:list': { workspaces: [{ ...workspace, name: longName }], activeId: 'w' } },
});

test('a damaged file is repaired without loss, or asks before it loses something', async () => {
  const damaged = { 'store:getState': { records: { isThere: true, isDamaged: true } } };
  renderScreen('/settings/data', {
    ...damaged,
    'store:repair': ({ mayLose }) => (mayLose ? failed('disk.full') : { outcome: 'needsConsent' }),
  });
  await press('Repair');
  await press('Repair and discard these');
  await screen.findByText(/The disk is full/);
});

test('damaged documents show what to do, and a check lists where they are attached', async () => {
  const documents = { documents: 2, damaged: 1, isSound: false };
  renderScreen('/settings/data', {
    'store:getState': { documents },
    'store:check': { documents: { ...documents, problems: [{ code: 'document.damaged', claimId: 77 }] } },
  });
  await screen.findByText(/Attach the same document again/);
  await press('Check now');
  expect((await screen.findByRole('link', { name: '77' })).getAttribute('href')).toContain('/claims/77');
});

const show = (
  section: string,
  info: Partial<AppInfo> = {},
  settings: Partial<Settings> = {},
  others: Answers = {},
) => {
  const answers: Answers = {
    ...others,
    'app:getInfo': { shell: 'electron', canUpdate: true, ...info },
    'settings:get': settings,
    'unlock:getState': { hasPassphrase: true, hasRecoveryCode: true },
  };
  renderScreen(`/settings/${section}`, answers);
};

describe('what an organization prescribes', () => {
  const policy = { maxLockMinutes: 5, requireUnlockPassphrase: true };

  test('is listed, with the limits at the settings; a required passphrase can’t be removed', async () => {
    show('privacy', { policy });
    const listed = (await screen.findByText('Set by your IT')).closest('section');
    expect(listed?.querySelectorAll('li')).toHaveLength(2);
    await screen.findByText('Locks after 5 minutes without activity, or sooner.');
    await screen.findByText(/1 to 5 \(set by your IT\)\./);
    await screen.findByRole('button', { name: 'Change passphrase' });
    expect(screen.queryByRole('button', { name: 'Remove passphrase' })).toBeNull();
  });

  test('shows where each rule was set', async () => {
    show('privacy', { policy, policySources: { maxLockMinutes: 'computerRegistry' } });
    const place = await screen.findByText('In the registry of this computer:');
    expect(place.parentElement?.textContent).toContain('Locks after 5 minutes');
    expect(place.parentElement?.textContent).not.toContain('passphrase');
  });

  test.each([
    [{ minRefreshMinutes: 60 }, 60, true, false],
    [{ minRefreshMinutes: 60, maxRefreshMinutes: 60 }, 60, true, true],
    [{}, 30, false, false],
  ])('refreshes: with %o', async (rules, autoRefreshMinutes, isLimited, isOff) => {
    show('workspaces', { policy: rules }, { autoRefreshMinutes });
    const choice = (await screen.findByLabelText('Refresh automatically', {
      selector: 'input',
    })) as HTMLInputElement;
    await vi.waitFor(() => expect(screen.queryByText(/Limited, set by your IT\./) !== null).toBe(isLimited));
    await vi.waitFor(() => expect(choice.disabled).toBe(isOff));
  });

  test('is nothing if it prescribes nothing', async () => {
    show('privacy');
    await screen.findByText(/1 to 60\./);
    await screen.findByRole('button', { name: 'Remove passphrase' });
    expect(screen.queryByText(/organization/)).toBeNull();
  });
});

test.each([
  [{ minAuditYears: 7 }, 7, /At least 7 years \(set by your IT\)\./, false],
  [{}, 6, /1 to 50/, false],
  [{}, 5, /1 to 50/, true],
])(
  'fewer than six years of the audit log are warned about (%o, %i years)',
  async (policy, auditYears, said, isWarned) => {
    show('privacy', { policy }, { auditYears });
    await screen.findByText(said);
    expect(screen.queryByText(/HIPAA asks for six years\./) !== null).toBe(isWarned);
  },
);

test('shows where entries of the audit log are sent, up to which one, and since when it fails', async () => {
  const auditTarget = 'syslog+tls://siem.example.com:6514';
  const forwarding = { address: auditTarget, through: 1_204, newest: 1_215 };
  const failing = { since: '2026-11-28T14:05:00.000Z', code: 'audit.targetUnreachable' } as const;
  show(
    'privacy',
    { policy: { auditTarget } },
    {},
    { 'audit:readForwarding': { forwarding: { ...forwarding, failing } } },
  );
  await screen.findByText(/sent to syslog\+tls:\/\/siem\.example\.com:6514, without names/);
  await screen.findByText(/^Failing since 11\/28\/2026.*can’t be reached.*1,204 of 1,215 entries sent/);
});

test.each([
  ['offered', {}, 'New versions are downloaded in the background and installed when you quit.'],
  [
    'not switched where the organization forbids them',
    { policy: { allowUpdates: false } },
    'Off, set by your IT.',
  ],
  ['of the administrator', { canUpdate: false }, /Your administrator installs new versions\./],
  ['nobody’s in a browser', { canUpdate: false, shell: 'browser' }, 'Read and write'],
  [
    'read-only beside another window',
    { isReadOnly: true },
    'Read-only: Claimdesk is already open in another window',
  ],
] as const)('updates are %s', async (_whose, info, said) => {
  show('about', info);
  await screen.findByText(said);
  const toggle = screen.queryByLabelText(/^Install updates/) as HTMLInputElement | null;
  expect(toggle?.disabled).toBe('policy' in info ? true : 'canUpdate' in info ? undefined : false);
});

describe('backups elsewhere', () => {
  const at = '2026-11-20T10:00:00.000Z';
  const made = { at, bytes: 2_000_000, written: 30_000, missing: 1 };

  test('show when the last one was made, what opens them, and which folder could not be reached', async () => {
    renderScreen('/settings/data', {
      'backup:getState': {
        ...{ folder: '/media/stick', sealedBy: 'passphrase', last: made },
        ...{
          failed: { at, code: 'backup.folderMissing' },
          owing: [{ folder: '/media/old', code: 'backup.folderFull' }],
        },
        ...{ folders: ['/media/stick/claimdesk-1', '/media/old/claimdesk-1'] },
      },
      'backup:now': made,
      'backup:set': { folder: '/media/stick', sealedBy: 'passphrase', last: made },
    });
    await screen.findByText(/2.0 MB \(30.0 KB new\); without 1 unreadable document/);
    await screen.findByText('The backup folder can’t be found.');
    await screen.findByText('Backups in /media/old aren’t up to date');
    await press('These backups no longer exist');
    // Its drive was replaced: it can be chosen again.
    await press('Use folder');
    await press('Back up now');
    await screen.findByText(/The backup folder is full/);
    const code = await screen.findByRole('button', { name: 'Use recovery code' });
    expect((code as HTMLButtonElement).disabled).toBe(true);
    await screen.findByText('To use one, make a recovery code under Security first.');
    await screen.findByText(/^Backups elsewhere stay: delete \/media\/stick\/claimdesk-1, /);
  });

  test('use a folder that is chosen in a dialog if the shell has one', async () => {
    const set: unknown[] = [];
    renderScreen('/settings/data', {
      'app:getInfo': { shell: 'electron' },
      'backup:getState': { folder: '', sealedBy: null },
      'files:chooseFolder': { path: '/media/stick' },
      'backup:set': (changes) => {
        set.push(changes);
        return { folder: '/media/stick', sealedBy: null };
      },
    });
    await press('Choose…');
    await screen.findByDisplayValue('/media/stick');
    await press('Use folder');
    await waitFor(() => expect(set).toEqual([{ folder: '/media/stick' }]));
  });

  test('are not made if nothing opens them, and not moved if IT sets the folder', async () => {
    renderScreen('/settings/data', {
      'backup:getState': { folder: '/net', isSetByOrganization: true, sealedBy: null },
    });
    expect(((await screen.findByLabelText('Folder')) as HTMLInputElement).disabled).toBe(true);
    const now = await screen.findByRole('button', { name: 'Back up now' });
    expect((now as HTMLButtonElement).disabled).toBe(true);
    await screen.findByText(/^Nothing yet/);
  });
});
