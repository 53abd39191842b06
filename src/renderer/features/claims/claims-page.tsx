import { ScreenList } from '../../domain/list/screen-list.tsx';
import { useReviewList } from '../../domain/review/use-review-list.tsx';
import { claimLayouts } from './claim-columns.ts';
import { ClaimPage } from './claim-pages.ts';

/** All claims of the workspace. */
export function ClaimsPage() {
  const review = useReviewList();
  return (
    <ScreenList
      entity="claims"
      layouts={claimLayouts}
      renderRecord={(id, from) => <ClaimPage claimId={id} from={from} isBesideReviews />}
      {...review}
    />
  );
}
