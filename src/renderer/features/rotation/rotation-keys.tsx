import type { RotationState } from '../../../contract/rotation.ts';
import type { SshKey } from '../../../contract/ssh-keys.ts';
import { FieldList, Section } from '../../components/page.tsx';
import { nameKeyType } from '../../domain/key/key-labels.ts';

/** The keys of a rotation, to compare with the service's page. */
export function RotationKeys({ state }: { state: RotationState }) {
  const describe = (key: SshKey | null, removed: string) =>
    key === null ? (
      removed
    ) : (
      <>
        {key.name} ({nameKeyType(key)})<br />
        <code>{key.fingerprint}</code>
      </>
    );
  return (
    <Section title="Keys">
      <FieldList
        fields={[
          ['Old key', describe(state.oldKey, state.step === 'retired' ? 'removed here' : 'can’t be read')],
          ['New key', describe(state.newKey, state.step === 'canceled' ? 'canceled' : 'not made yet')],
        ]}
      />
    </Section>
  );
}
