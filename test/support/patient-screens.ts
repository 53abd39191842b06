import { configure } from '@testing-library/dom';

// The first screen of a test file takes longer, because its code is loaded.
configure({
  asyncUtilTimeout: 30_000,
  getElementError: (message) => new Error(`${message}\n${document.querySelector('main')?.textContent}`),
});
