// The thread of pdf.js. It gets bytes, and answers with what to draw; it has no page, and is asked to run no script.
import 'pdfjs-dist/build/pdf.worker.min.mjs';
