import { readCauses, useDeclineCauses } from '../../domain/review/decline-causes.ts';
import { LinesForm } from './lines-form.tsx';

/** What a partly eligible or not eligible claim offers as the reason. */
export function DeclineCausesForm({ workspaceId }: { workspaceId: string }) {
  const { causes, hasOwn, isSaving, error, save } = useDeclineCauses(workspaceId);
  return (
    <LinesForm
      what="reasons for declining"
      label="Reasons for declining"
      description="One per line. Partly eligible and Not eligible offer them; anything else can be typed there."
      lines={causes}
      read={readCauses}
      isReady
      isSaving={isSaving}
      error={error}
      onSave={save}
      onRestore={hasOwn ? () => save(null) : null}
      restore="Restore default reasons"
    />
  );
}
