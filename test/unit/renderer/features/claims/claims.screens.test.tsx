import { noRecords } from '../../../../support/render-screen.tsx';
import { longName, testStates } from '../../../../support/screen-states.tsx';

const claim = { id: 7, patient_name: longName };
const ofReview = {
  'reviews:get': {},
  'reviews:listEvents': {},
  'worklists:why': {},
  'records:getMember': {},
};

testStates({
  at: '/claims/7',
  asks: 'records:getClaim',
  loading: 'the claim',
  failure: 'Couldn’t load this claim',
  filled: { claim },
  others: { ...noRecords, ...ofReview },
});
testStates({
  at: '/claims/7/file',
  asks: 'records:getClaim',
  loading: 'the claim file',
  failure: 'Couldn’t load the claim file',
  filled: { claim },
  others: { ...noRecords, ...ofReview },
});
testStates({
  at: '/claims/7/duplicates',
  asks: 'duplicates:of',
  loading: 'the comparison',
  failure: 'Couldn’t compare this claim',
  filled: {
    pairs: [
      { left: 7, right: 8, kind: 'exact', fields: [{ label: 'Patient', left: longName, right: longName }] },
    ],
  },
  empty: [{}, 'No duplicates'],
  others: noRecords,
});
