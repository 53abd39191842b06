import type { RotationState } from '../../../contract/rotation.ts';
import type { SshKey } from '../../../contract/workspace.ts';
import { FieldList, Section } from '../../components/page.tsx';
import { nameKeyType } from '../../lib/key-words.ts';

/** The two keys of a rotation, to compare with what the service's page shows. */
export function RotationKeys({ state }: { state: RotationState }) {
  const describe = (key: SshKey | null, gone: string) =>
    key === null ? (
      gone
    ) : (
      <>
        {key.name} ({nameKeyType(key)})<br />
        <code>{key.fingerprint}</code>
      </>
    );
  return (
    <Section title="The two keys">
      <FieldList
        fields={[
          ['Old key', describe(state.oldKey, state.step === 'retired' ? 'removed here' : 'cannot be read')],
          ['New key', describe(state.newKey, state.step === 'canceled' ? 'taken back' : 'not made yet')],
        ]}
      />
    </Section>
  );
}
