import { ActionIcon, Stack, Switch, Tooltip } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMode } from '../../lib/use-desk-mode.ts';

/** The values that privacy mode hides, for its setting and its button. */
const hiddenAtDesk = 'names, emails, SSNs, dates of birth, diagnoses, carrier’s reasons, and notes';

/** Switches privacy mode in the header; its icon and name show the state, not color alone. */
export function DeskModeButton() {
  const { isOn, isChanging, toggle } = useDeskMode();
  const label = isOn ? 'Turn off privacy mode' : `Privacy mode: hide ${hiddenAtDesk}`;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isOn ? 'filled' : 'default'}
        aria-label="Privacy mode"
        aria-pressed={isOn}
        disabled={isChanging}
        onClick={toggle}
      >
        {isOn ? <IconEyeOff size={16} aria-hidden /> : <IconEye size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

/** The switch as a setting, with a description. */
export function DeskModeSwitch() {
  const { isOn, isChanging, error, toggle } = useDeskMode();
  return (
    <Stack gap="xs">
      <Switch
        label="Privacy mode"
        description={`Hides ${hiddenAtDesk} in lists, pages, copies, and exports. Each word of a name is shown as a number, so that you can tell people apart.`}
        checked={isOn}
        disabled={isChanging}
        onChange={toggle}
      />
      <ErrorNotice error={error} />
    </Stack>
  );
}
