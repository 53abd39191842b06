import './lib/configure-zod.ts';
import { setNonce } from 'get-nonce';
import { startDesk } from './app/start.tsx';
import { openBridge } from './lib/bridge.ts';
import { takePageMarks } from './lib/page-marks.ts';

const marks = takePageMarks(document);
if (marks.nonce !== '') setNonce(marks.nonce);
const place = document.getElementById('root');
if (place !== null) void startDesk(place, openBridge(marks), marks.nonce);
