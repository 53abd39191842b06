/** The part of this package that is used. Its own types take in a whole viewer. */
declare module 'pdfjs-dist' {
  interface PageViewport {
    readonly width: number;
    readonly height: number;
  }
  interface PDFPageProxy {
    getViewport(options: { scale: number }): PageViewport;
    render(options: { canvas: HTMLCanvasElement; viewport: PageViewport; annotationMode: number }): {
      readonly promise: Promise<void>;
    };
    getTextContent(): Promise<{
      readonly items: readonly { readonly str?: string; readonly hasEOL?: boolean }[];
    }>;
    /** What the page's images were decoded to; null where one could not be. `commonObjs`: those of several pages. */
    readonly objs: Iterable<readonly [id: string, image: unknown]>;
    readonly commonObjs: Iterable<readonly [id: string, image: unknown]>;
    cleanup(): boolean;
  }
  export interface PDFDocumentProxy {
    readonly numPages: number;
    getPage(number: number): Promise<PDFPageProxy>;
  }
  export const AnnotationMode: { readonly ENABLE: number };
  export const GlobalWorkerOptions: { workerPort: Worker | null };
  export function getDocument(options: {
    readonly data: Uint8Array;
    readonly isEvalSupported: boolean;
    readonly enableXfa: boolean;
    readonly useWasm: boolean;
    readonly useWorkerFetch: boolean;
    readonly isOffscreenCanvasSupported: boolean;
    readonly maxImageSize: number;
    readonly canvasMaxAreaInBytes: number;
    readonly verbosity: number;
  }): { readonly promise: Promise<PDFDocumentProxy>; destroy(): Promise<void> };
}
declare module 'pdfjs-dist/build/pdf.worker.min.mjs';
