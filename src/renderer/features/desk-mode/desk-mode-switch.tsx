import { Stack, Switch } from '@mantine/core';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { useDeskMode } from '../../lib/use-desk-mode.ts';

/** The same as a setting, with a description. */
export function DeskModeSwitch() {
  const { isOn, isChanging, error, toggle } = useDeskMode();
  return (
    <Stack gap="xs">
      <Switch
        label="Privacy mode"
        description="Hides dates of birth, diagnoses, remarks, and notes in lists, pages, copies, and exports. SSNs can’t be revealed."
        checked={isOn}
        disabled={isChanging}
        onChange={toggle}
      />
      <ErrorNotice error={error} />
    </Stack>
  );
}
