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

/** Of every runtime this project runs in. */
declare const WebAssembly: WebAssemblyInterface;
export const webAssembly = WebAssembly;
