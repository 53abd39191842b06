import {
  IconDatabase,
  IconFilterBolt,
  IconListCheck,
  IconLock,
  IconPalette,
  IconPlugConnected,
  IconUserShare,
} from '@tabler/icons-react';
import type { SettingsPart } from '../features/settings/settings-page.tsx';
import { latePart } from '../lib/late-part.tsx';
import type { settingsContents } from './settings-contents.tsx';

const contentOf = (id: keyof typeof settingsContents) =>
  latePart(async () => (await import('./settings-contents.tsx')).settingsContents[id]);

/** The parts of the settings, in the order shown. */
export const settingsParts: readonly SettingsPart[] = [
  {
    title: 'Connection',
    icon: <IconPlugConnected size={16} aria-hidden />,
    sections: [
      { id: 'workspaces', title: 'Workspaces', content: contentOf('workspaces'), words: 'service, sync' },
      { id: 'keys', title: 'Keys', content: contentOf('keys') },
      { id: 'integration', title: 'Connect', content: contentOf('integration'), words: 'integration' },
      { id: 'doctor', title: 'Doctor', content: contentOf('doctor'), words: 'connection' },
    ],
  },
  {
    title: 'Reviews',
    icon: <IconListCheck size={16} aria-hidden />,
    sections: [
      { id: 'reviews', title: 'Reviews', content: contentOf('reviews') },
      { id: 'letters', title: 'Letters', content: contentOf('letters'), words: 'templates' },
    ],
  },
  {
    title: 'Rules',
    icon: <IconFilterBolt size={16} aria-hidden />,
    sections: [{ id: 'rules', title: 'Rules', content: contentOf('rules'), words: 'propose, decide' }],
  },
  {
    title: 'Team',
    icon: <IconUserShare size={16} aria-hidden />,
    sections: [{ id: 'team', title: 'Team', content: contentOf('team') }],
  },
  {
    title: 'Security',
    icon: <IconLock size={16} aria-hidden />,
    sections: [
      {
        id: 'security',
        title: 'Security',
        content: contentOf('security'),
        words: 'privacy, lock, audit log',
      },
    ],
  },
  {
    title: 'Data',
    icon: <IconDatabase size={16} aria-hidden />,
    sections: [
      { id: 'data', title: 'Data', content: contentOf('data'), words: 'storage, backups, removal, about' },
    ],
  },
  {
    title: 'Appearance',
    icon: <IconPalette size={16} aria-hidden />,
    sections: [{ id: 'appearance', title: 'Appearance', content: contentOf('appearance') }],
  },
];

/** The sections that addresses of 0.2 lead to. */
export const formerSections: Readonly<Record<string, string>> = {
  sync: 'workspaces',
  privacy: 'security',
  about: 'data',
};
