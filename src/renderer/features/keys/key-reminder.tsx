import { NumberSetting } from '../../components/number-setting.tsx';
import { useDeskMutation } from '../../lib/desk-query.ts';

/** The age from which a key is due for rotation. */
export function KeyReminder({ saved }: { saved: number }) {
  const change = useDeskMutation('settings:set');
  return (
    <NumberSetting
      label="Rotation reminder (days)"
      description="Enter 0 to turn off"
      saved={saved}
      min={0}
      max={3650}
      isPending={change.isPending}
      error={change.error}
      onSave={(keyReminderDays) => change.mutate({ keyReminderDays })}
    />
  );
}
