import { TextField } from '../../components/text-field.tsx';

/** The name of a new workspace, which may be empty. */
export const WorkspaceNameField = (props: { value: string; onChange: (name: string) => void }) => (
  <TextField
    label="Workspace name"
    description="Optional. A name to recognize it by, such as the client."
    maxLength={80}
    {...props}
  />
);
