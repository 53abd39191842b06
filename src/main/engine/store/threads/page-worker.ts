import { answerBy } from '../../../lib/channel.ts';
import { handedOver, serveThread } from '../../../lib/thread.ts';
import { packPage } from '../record/prepare-page.ts';

/** Prepares the pages of a sync. It opens no file, and loads a tenth of the code of the store's other threads. */
serveThread(answerBy({ packPage, open: () => null, close: () => null }), handedOver);
