import { readTemplates, useNoteTemplates, usualTemplates } from '../../domain/review/note-templates.ts';
import { LinesForm } from './lines-form.tsx';

/** The texts under Templates beside a new note. */
export function NoteTemplatesForm({ workspaceId }: { workspaceId: string }) {
  const { texts, isReady, isSaving, error, save } = useNoteTemplates(workspaceId);
  return (
    <LinesForm
      what="note templates"
      label="Note templates"
      description="One per line. They stay on this computer, encrypted, and aren’t part of a hand-over."
      lines={texts}
      read={readTemplates}
      isReady={isReady}
      isSaving={isSaving}
      error={error}
      onSave={save}
      onRestore={texts.join('\n') === usualTemplates.join('\n') ? null : () => save(usualTemplates)}
      restore="Restore default templates"
    />
  );
}
