// The part of the WebAssembly interface that is used here; neither Node's types nor those of the language declare it.

/** Compiled; can be handed to worker threads. */
export type EngineModule = object & { readonly [brand]: 'WebAssembly.Module' };
declare const brand: unique symbol;

export type ModuleImports = Readonly<Record<string, (...args: never[]) => unknown>>;

export interface EngineExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly _initialize: () => void;
  readonly render: () => void;
}

interface WebAssemblyInterface {
  readonly Module: new (bytes: Uint8Array) => EngineModule;
  readonly Instance: new (
    module: EngineModule,
    imports: Readonly<Record<string, ModuleImports>>,
  ) => { readonly exports: EngineExports };
}

declare const WebAssembly: WebAssemblyInterface | undefined;
/** Browsers can be without it, and read this all the same: it is missed where something is to be rendered, and not before. */
export const webAssembly = (typeof WebAssembly === 'undefined' ? undefined : WebAssembly) as WebAssemblyInterface;
